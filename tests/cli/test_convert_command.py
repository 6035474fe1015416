"""`convert`: its output, the files that it writes, and those that it keeps."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls, write
from ttsr_ls.store.files.replacement import replace_file

PI = "---\ntrigger: foo\nflags: i\n---\n\nSay so.\n"
OMP = "---\ncondition: (?i)foo\nscope: text\n---\n\nSay so.\n"
LOSSY = "---\ntrigger: foo\nmaxFirings: 3\n---\n\nSay so.\n"

Capture = pytest.CaptureFixture[str]


def files(root: Path) -> dict[str, str]:
    return {str(path.relative_to(root)): path.read_text() for path in sorted(root.rglob("*")) if path.is_file()}


def test_without_write_the_converted_text_is_only_printed(project: Path, capsys: Capture) -> None:
    write(project, {".pi/rules/a.md": PI})
    ran = ttsr_ls(capsys, "convert", ".pi/rules/a.md", "--to", "omp")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == "---\ncondition: '(?i)foo'\nscope: text\n---\n\nSay so.\n"
    assert files(project) == {".pi/rules/a.md": PI}


def test_losses_are_reported_with_status_1(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": LOSSY})
    ran = ttsr_ls(capsys, "convert", "a.md", "--to", "omp")
    assert ran.status == 1
    assert ran.err.startswith("ttsr-ls: a.md: lost: The rule fired 3 times in a session.")


def test_a_file_is_replaced_only_on_demand(project: Path, capsys: Capture) -> None:
    write(project, {".pi/rules/a.md": PI})
    (project / ".pi/rules/a.md").chmod(0o640)
    ran = ttsr_ls(capsys, "convert", ".pi/rules/a.md", "--to", "omp", "--write")
    assert (ran.status, ran.out, ran.err) == (0, "", "ttsr-ls: .pi/rules/a.md: written to .pi/rules/a.md\n")
    assert files(project)[".pi/rules/a.md"].startswith("---\ncondition: '(?i)foo'")
    assert (project / ".pi/rules/a.md").stat().st_mode & 0o777 == 0o640
    assert list(files(project)) == [".pi/rules/a.md"]


@pytest.mark.parametrize(
    ("given", "target", "name"),
    [
        ("a.md", "cursor", "a.mdc"),
        ("a.md", "github", "a.instructions.md"),
        ("a.md", "windsurf", "a.md"),
        ("a.mdc", "claude", "a.md"),
    ],
)
def test_the_written_file_has_the_name_of_its_dialect(
    project: Path, capsys: Capture, given: str, target: str, name: str
) -> None:
    write(project, {given: OMP})
    assert ttsr_ls(capsys, "convert", given, "--to", target, "--write").status == 1
    assert set(files(project)) == {given, name}


def test_a_rule_of_hookify_keeps_the_name_of_its_file(project: Path, capsys: Capture) -> None:
    text = "---\nname: ../../evil\nevent: bash\npattern: rm\naction: warn\n---\nNo.\n"
    write(project, {".claude/hookify.no-rm.local.md": text})
    ran = ttsr_ls(capsys, "convert", ".claude/hookify.no-rm.local.md", "--to", "omp", "--write")
    assert ran.status == 1
    assert list(files(project.parent)) == ["project/.claude/hookify.no-rm.local.md", "project/.claude/no-rm.md"]


def test_an_existing_file_of_another_name_is_never_replaced(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": OMP, "a.mdc": "mine"})
    ran = ttsr_ls(capsys, "convert", "a.md", "--to", "cursor", "--write")
    assert ran.status == 2
    assert "a.mdc exists already" in ran.err
    assert files(project) == {"a.md": OMP, "a.mdc": "mine"}


def test_a_link_is_replaced_and_not_followed(project: Path, capsys: Capture) -> None:
    write(project.parent, {"elsewhere/a.md": PI})
    (project / "a.md").symlink_to(project.parent / "elsewhere/a.md")
    assert ttsr_ls(capsys, "convert", "a.md", "--to", "omp", "--write").status == 0
    assert (project.parent / "elsewhere/a.md").read_text() == PI
    assert not (project / "a.md").is_symlink()


def test_a_diff_shows_what_would_change(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": PI})
    ran = ttsr_ls(capsys, "convert", "a.md", "--to", "omp", "--diff")
    assert ran.status == 0
    assert ran.out.splitlines()[:2] == ["--- a.md", "+++ a.md"]
    assert {"-trigger: foo", "-flags: i", "+condition: '(?i)foo'", "+scope: text"} <= set(ran.out.splitlines())
    assert files(project) == {"a.md": PI}


def test_an_inconvertible_file_is_refused_and_the_others_are_converted(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": "---\ncondition: foo\nscope: tool:edit\n---\nNo.\n", "b.md": OMP})
    ran = ttsr_ls(capsys, "convert", "a.md", "missing.md", "b.md", "--to", "pi-ttsr")
    assert ran.status == 2
    assert ran.out == "---\ntrigger: foo\nflags: i\nscope: accumulated\n---\n\nSay so.\n"
    assert [line.split(": ")[1] for line in ran.err.splitlines()] == ["a.md", "cannot read missing.md"]


def test_the_source_dialect_can_be_named(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": "---\ntrigger: foo\n---\nNo.\n"})
    assert ttsr_ls(capsys, "convert", "a.md", "--to", "omp").status == 2
    ran = ttsr_ls(capsys, "convert", "a.md", "--from", "pi-ttsr", "--to", "omp")
    assert ran.status == 0
    assert ran.out.startswith("---\ncondition: foo\n")


def test_a_folder_that_cannot_be_written_to_is_an_error(
    project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project, {"a.md": PI})

    def refuse(*args: object, **options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    ran = ttsr_ls(capsys, "convert", "a.md", "--to", "omp", "--write")
    assert (ran.status, ran.err) == (2, "ttsr-ls: cannot write a.md: Permission denied\n")
    assert list(files(project)) == ["a.md"]


def test_the_other_files_are_written_after_one_that_cannot_be(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": PI, "b.md": PI})

    def refuse_first(path: Path, data: bytes, mode: int) -> None:
        if path.name == "a.md":
            raise PermissionError(13, "Permission denied")
        replace_file(path, data, mode)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ttsr_ls.store.files.rule_writer.replace_file", refuse_first)
        ran = ttsr_ls(capsys, "convert", "a.md", "b.md", "--to", "omp", "--write")
    assert ran.status == 2
    assert ran.err.startswith("ttsr-ls: cannot write a.md: Permission denied\nttsr-ls: b.md: written to b.md\n")
    assert (project / "a.md").read_text() == PI
    assert (project / "b.md").read_text() != PI


def test_a_diff_of_a_rule_with_other_line_ends_is_a_patch(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": PI.rstrip("\n") + " one\u2028two"})
    converted = ttsr_ls(capsys, "convert", "a.md", "--to", "omp").out
    patch = ttsr_ls(capsys, "convert", "a.md", "--to", "omp", "--diff").out
    subprocess.run(["patch", "a.md"], input=patch.encode(), check=True, cwd=project, capture_output=True)
    assert (project / "a.md").read_text() == converted


def test_a_missing_file_is_named_once(project: Path, capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "convert", "gone.md", "--to", "cursor")
    assert (ran.status, ran.out, ran.err) == (2, "", "ttsr-ls: cannot read gone.md: No such file or directory\n")


def test_a_folder_is_refused_with_what_to_name(project: Path, capsys: Capture) -> None:
    write(project, {".pi/rules/a.md": PI})
    ran = ttsr_ls(capsys, "convert", ".pi/rules", "--to", "omp")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "ttsr-ls: .pi/rules: it is a folder; name the rule files in it\n"
