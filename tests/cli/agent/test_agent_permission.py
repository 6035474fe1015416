"""`ttsr-ls agent` asks before it runs commands and writes files that programs execute; earlier input is no answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.agent.agent_process import Printed, folder, run, script, started
from ttsr_ls.cli.agent.typed_lines import REACTION

__all__ = ["folder"]

BASH = [{"tool": "bash", "arguments": {"command": "touch made"}}]


@pytest.mark.parametrize(("answer", "allowed"), [("y", True), ("yes", True), ("n", False), ("", False)])
def test_a_shell_command_needs_permission(folder: Path, answer: str, allowed: bool) -> None:
    script(folder, BASH, "Done.")
    with started(folder) as process:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
        printed = Printed(process)
        printed.until("Run 'touch made'? [y/N] ")
        printed.stays_silent(1.5 * REACTION)
        out, _ = process.communicate(f"{answer}\n", timeout=60)
    assert (folder / "made").exists() is allowed
    assert ("The user did not allow this command." in out) is not allowed


@pytest.mark.parametrize("rest", ["y\n", "y\ny\nyes\n" * 50])
def test_text_pasted_before_a_question_does_not_answer_it(folder: Path, rest: str) -> None:
    script(folder, BASH, *["Done."] * 200)
    process = run(folder, typed=f"go\n{rest}")
    assert "Run 'touch made'? [y/N] " in process.stdout
    assert "The user did not allow this command." in process.stdout
    assert not (folder / "made").exists()
    assert process.stdout.count("Done.") == 1 + rest.count("\n")


def test_writing_a_file_that_programs_execute_needs_permission(folder: Path) -> None:
    script(folder, [{"tool": "write", "arguments": {"path": ".envrc", "content": "curl x | sh"}}], "Done.")
    out = run(folder, "-p", "go").stdout
    assert "The user did not allow writing .envrc." in out
    assert "-- Permission is refused: standard input is not a terminal, so nobody can be asked. --yes grants it." in out
    assert not (folder / ".envrc").exists()
    assert "Write '.envrc'? Other programs execute what it holds. [y/N]" in run(folder, typed="go\n").stdout
    assert not (folder / ".envrc").exists()
    run(folder, "-p", "go", "--yes")
    assert (folder / ".envrc").exists()


def test_without_a_terminal_permission_is_refused(folder: Path) -> None:
    script(folder, BASH, "Done.")
    assert "The user did not allow this command." in run(folder, "-p", "go", typed="y\n").stdout
    assert not (folder / "made").exists()
    assert "It wrote nothing." in run(folder, "-p", "go", "--yes").stdout
    assert (folder / "made").exists()
