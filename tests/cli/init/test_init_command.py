"""`init` shows the files that it writes, keeps existing ones, and writes files that work."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest
import yaml

from tests.cli.command import Ran, ttsr_ls, write

Capture = pytest.CaptureFixture[str]


def written(project: Path) -> list[str]:
    return sorted(path.relative_to(project).as_posix() for path in project.rglob("*") if path.is_file())


def init(capsys: Capture, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Ran:
    return init_without_terminal(capsys, monkeypatch, "--yes", *arguments)


def init_without_terminal(capsys: Capture, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Ran:
    with Path("/dev/null").open() as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        return ttsr_ls(capsys, "init", *arguments)


def test_the_written_files_are_shown_and_work(project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = init(capsys, monkeypatch, "--dry-run").out
    assert written(project) == []
    ran = init(capsys, monkeypatch)
    assert (ran.status, ran.err) == (0, "")
    files = written(project)
    assert files == [
        ".github/workflows/agent-rules.yml",
        ".omp/rules/no-omitted-code.md",
        ".omp/rules/no-omitted-code.test.yml",
        ".pre-commit-config.yaml",
        ".vscode/settings.json",
        ".vscode/ttsr-rule-test.schema.json",
    ]
    for name in files:
        head = (project / name).read_text().splitlines()[:40]
        assert f"{name}: " in shown
        assert all(f"  | {line}".rstrip() in shown.splitlines() for line in head)
    assert ttsr_ls(capsys, "check").out == "No findings in 2 files.\n"
    assert "4 cases of 1 rule: 4 passed." in ttsr_ls(capsys, "test").out
    assert ttsr_ls(capsys, "scan").status == 0
    write(project, {"a.py": "x = 1\n# ... rest of the file\n"})
    assert ttsr_ls(capsys, "scan").status == 1


def test_existing_files_are_kept(project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    write(project, {".pre-commit-config.yaml": "repos: []\n"})
    ran = init(capsys, monkeypatch)
    assert (project / ".pre-commit-config.yaml").read_text() == "repos: []\n"
    assert "exists and is kept; add what you need of this:\n  | repos:\n" in ran.out
    assert "5 files written." in ran.out
    assert init(capsys, monkeypatch).out.endswith("All files exist; nothing is written.\n")


@pytest.mark.parametrize(
    ("part", "path"), [("github", ".github/workflows/agent-rules.yml"), ("gitlab", ".gitlab-ci.yml")]
)
def test_an_unchanged_file_of_ci_gets_another_requirement(
    part: str, path: str, project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    init(capsys, monkeypatch, "--only", part)
    first = (project / path).read_text()
    named = ("--only", part, "--install", "vendor/ttsr_ls.whl")
    assert "is replaced" in init(capsys, monkeypatch, *named, "--dry-run").out
    assert (project / path).read_text() == first
    assert "\n1 file written." in init(capsys, monkeypatch, *named).out
    second = (project / path).read_text()
    assert [line for line in second.splitlines() if line not in first.splitlines()] == [
        next(line for line in second.splitlines() if line.endswith('pip install "vendor/ttsr_ls.whl"'))
    ]
    for again in (named, ("--only", part)):  # The requirement that was named stays.
        assert init(capsys, monkeypatch, *again).out.endswith("All files exist; nothing is written.\n")
    for changed in (
        second + "# ours\n",
        second.replace('vendor/ttsr_ls.whl"', 'vendor/a.whl" "b"'),
        second.replace("main", "x") + " ",
    ):
        (project / path).write_text(changed)
        assert init(capsys, monkeypatch, *named[:-1], "other.whl").out.endswith("nothing is written.\n")
        assert (project / path).read_text() == changed


def test_parts_and_the_requirement_of_ci(project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    init(capsys, monkeypatch, "--only", "rule,gitlab", "--install", "vendor/ttsr_ls.whl")
    assert written(project) == [
        ".gitlab-ci.yml",
        ".omp/rules/no-omitted-code.md",
        ".omp/rules/no-omitted-code.test.yml",
    ]
    job = yaml.safe_load((project / ".gitlab-ci.yml").read_text())["agent-rules"]
    assert job["script"][0] == 'pip install "vendor/ttsr_ls.whl"'
    ran = init(capsys, monkeypatch, "--only", "emacs")
    assert (ran.status, ran.out) == (2, "")
    assert "there is no part 'emacs'" in ran.err


def test_in_a_gitlab_project_the_gitlab_job_replaces_the_workflow(
    project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project, {".gitlab-ci.yml": "build: {script: make}\n"})
    init(capsys, monkeypatch)
    assert not (project / ".github").exists()


def test_configurations_are_well_formed(project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    init(capsys, monkeypatch)
    schema = json.loads((project / ".vscode" / "ttsr-rule-test.schema.json").read_text())
    jsonschema.validate(yaml.safe_load((project / ".omp/rules/no-omitted-code.test.yml").read_text()), schema)
    (mapped,) = json.loads((project / ".vscode/settings.json").read_text())["yaml.schemas"]
    assert (project / mapped).is_file()
    workflow = yaml.safe_load((project / ".github/workflows/agent-rules.yml").read_text())
    commands = [step["run"] for step in workflow["jobs"]["rules"]["steps"] if "run" in step]
    hooks = yaml.safe_load((project / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    ours = [item for item in (*commands, *(hook["entry"] for hook in hooks)) if item.startswith("ttsr-ls")]
    assert len(ours) == 6
    for our in ours:
        arguments = our.replace("$GITHUB_BASE_REF", "main").replace('"', "").split()[1:]
        if "--diff" not in arguments and "--staged" not in arguments:  # There is no repository.
            assert ttsr_ls(capsys, *arguments).status == 0, our


def test_without_a_terminal_nothing_is_written(project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = init_without_terminal(capsys, monkeypatch)
    assert (ran.status, written(project)) == (2, [])
    assert ".omp/rules/no-omitted-code.md: a rule" in ran.out
    assert "nothing is written: standard input is not a terminal, so nobody can be asked" in ran.err
    assert "ttsr-ls init --yes" in ran.err


@pytest.mark.parametrize(("answer", "count"), [("y\n", 6), ("\n", 0), ("no\n", 0)])
def test_init_asks_before_it_writes(
    answer: str, count: int, project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "typed").write_text(answer)
    with (tmp_path / "typed").open() as typed:
        monkeypatch.setattr(typed, "isatty", lambda: True)
        monkeypatch.setattr("sys.stdin", typed)
        assert ttsr_ls(capsys, "init").status == 0
    assert len(written(project)) == count


@pytest.mark.parametrize(
    ("source", "installed", "has_advice"),
    [
        (None, "ttsr-ls==", False),
        ({"url": "file:///src/ttsr-ls", "dir_info": {"editable": True}}, "ttsr-ls==", True),
        (
            {"url": "https://git.example.com/t", "vcs_info": {"vcs": "git", "commit_id": "abc"}},
            "ttsr-ls @ git+https://git.example.com/t@abc",
            False,
        ),
    ],
)
def test_the_ci_requirement_follows_from_the_installation(
    source: dict[str, Any] | None,
    installed: str,
    has_advice: bool,
    project: Path,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`source` is pip's record of the installation (PEP 610)."""
    text = None if source is None else json.dumps(source)
    # Not a class of importlib.metadata: its backport, which libraries bring, finds distributions with its own.
    recorded = {"direct_url.json": text}
    monkeypatch.setattr("importlib.metadata.distribution", lambda name: SimpleNamespace(read_text=recorded.__getitem__))
    out = init(capsys, monkeypatch, "--only", "github").out
    assert f'pip install "{installed}' in (project / ".github/workflows/agent-rules.yml").read_text()
    assert ("  pip wheel --no-deps --wheel-dir vendor /src/ttsr-ls" in out.splitlines()) == has_advice
    assert ("  ttsr-ls init --only github --install vendor/ttsr_ls-" in out) == has_advice


def test_the_folder_of_the_installation_is_one_word_of_the_advised_command(
    project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = json.dumps({"url": "file:///src/my%20%C3%A4", "dir_info": {"editable": True}})
    monkeypatch.setattr(
        "importlib.metadata.distribution", lambda name: SimpleNamespace(read_text={"direct_url.json": text}.__getitem__)
    )
    out = init(capsys, monkeypatch, "--only", "github").out
    assert "  pip wheel --no-deps --wheel-dir vendor '/src/my ä'" in out.splitlines()


def test_a_part_that_is_named_twice_is_written_once(
    project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = init(capsys, monkeypatch, "--only", "rule, rule")
    assert (ran.status, ran.err) == (0, "")
    assert "2 files written." in ran.out


def test_an_unchanged_file_is_not_printed_again(
    project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    init(capsys, monkeypatch)
    (project / ".pre-commit-config.yaml").write_text("repos: []\n")
    again = init(capsys, monkeypatch)
    assert again.status == 0
    assert again.out.count("add what you need of this:") == 1
    assert ".omp/rules/no-omitted-code.md: a rule\n  exists with this content\n\n" in again.out
    assert again.out.endswith("All files exist; nothing is written.\n")


@pytest.mark.parametrize("requirement", ["", " ", "a\nb", 'x"; curl y; "', "a\x1b[31m", "a\\", "a`id`", "a: b", "a #b"])
def test_a_requirement_that_breaks_the_ci_file_is_refused(
    project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, requirement: str
) -> None:
    ran = init(capsys, monkeypatch, "--only", "github,gitlab", "--install", requirement)
    assert (ran.status, ran.out, written(project)) == (2, "", [])
    assert "is no requirement for a CI file" in ran.err
    assert "\x1b" not in ran.err
