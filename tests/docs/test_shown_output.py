"""The commands of the manual run, and print what is shown below them; `…` in the output stands for any text."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import Ran, ttsr_ls, write
from tests.docs.pages import BLOCK, EVERY, PAGES, TUTORIALS, is_template, shown_matches, words_of
from tests.docs.shown_projects import CHANGED, COMMON, MAX_SHOWN, ROOT
from tests.store.test_git_changes import commit, git

_ELSEWHERE = {
    "agent": "tests/cli/agent/test_agent_sessions.py",
    "demo": "tests/cli/demo/test_demo_command.py",
    "doctor": "tests/cli/install/test_doctor.py",
    "init": "tests/cli/init/test_init_command.py",
    "mcp": "tests/cli/test_mcp_command.py",
    "proxy": "tests/bridge/proxy/test_proxy_process.py",
    "run": "tests/agents/test_driven_agents.py",
    "run --proxy": "tests/agents/test_proxied_agents.py",
    "serve": "tests/lsp/test_client.py",
    "watch": "tests/cli/watch/test_following.py",
}
"""Commands that need a real agent, a model, or a person, or run until they are stopped, and the tests that run them."""


def _outputs() -> Iterator[tuple[Path, str, str]]:
    """Page, command, and output of each command that the manual shows with its output."""
    for page in PAGES:
        if page in TUTORIALS:
            continue
        for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
            _, *steps = re.split(r"^\$ ttsr-ls ?", block["text"], flags=re.M)
            for step in steps:
                command, _, shown = step.partition("\n")
                if shown.strip():
                    yield page, command.partition("  #")[0].strip(), shown


def _is_elsewhere(command: str) -> bool:
    return command.startswith(tuple(_ELSEWHERE))


WITH_OUTPUT = [output for output in _outputs() if not _is_elsewhere(output[1])]
OTHERS = [
    (page, command)
    for page, command in EVERY
    if page not in TUTORIALS and not is_template(command) and not _is_elsewhere(command.removeprefix("ttsr-ls "))
]


def _commit_as_origin(project: Path) -> None:
    git(project, "init", "-q")
    commit(project)
    git(project, "update-ref", "refs/remotes/origin/main", "HEAD")


def _run(command: str, project: Path, capsys: pytest.CaptureFixture[str]) -> Ran:
    ran = ttsr_ls(capsys, *(os.path.expandvars(word) for word in shlex.split(command)))
    return Ran(ran.status, *(text.replace(str(project), "/home/dev/shop") for text in (ran.out, ran.err)))


@pytest.mark.parametrize(
    ("page", "command", "shown"), WITH_OUTPUT, ids=[f"{page.name}: {command[:60]}" for page, command, _ in WITH_OUTPUT]
)
def test_the_output_is_what_is_shown(
    page: Path, command: str, shown: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = MAX_SHOWN[page.name, command]
    write(project, files)
    if ".gitignore" in files:
        git(project, "init", "-q")
    if "--diff" in command:
        _commit_as_origin(project)
        write(project, CHANGED)
    ran = _run(command, project, capsys)
    assert shown_matches(shown, ran.out + ran.err), ran.out + ran.err


@pytest.mark.parametrize(("page", "command"), OTHERS, ids=[f"{page.name}: {command[:60]}" for page, command in OTHERS])
def test_a_command_of_the_manual_runs(
    page: Path,
    command: str,
    project: Path,
    state: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It finds what it names, and ends with a status for a result, not for a mistake of the person who typed it."""
    monkeypatch.setenv("GITHUB_BASE_REF", "main")
    write(project, COMMON)
    if "--diff" in command:
        _commit_as_origin(project)
    words = words_of(command.replace("${{ github.base_ref }}", "main"))
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        ran = ttsr_ls(capsys, *(os.path.expandvars(word) for word in words))
    assert ran.status in (0, 1), ran.err
    assert "Traceback" not in ran.err


def test_commands_of_the_readme_with_our_rules_work_in_the_repository(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    ours = [
        command
        for page, command in EVERY
        if page == ROOT / "README.md" and any(word.split("/")[0] == "rules" for word in words_of(command))
    ]
    assert len(ours) == 3
    for command in ours:
        ran = ttsr_ls(capsys, *words_of(command))
        assert ran.status in (0, 1), command + ran.err


def test_the_tests_that_run_the_others_exist() -> None:
    assert all((ROOT / test).exists() for test in _ELSEWHERE.values())
    assert len(WITH_OUTPUT) > 10
    assert len(OTHERS) > 20
