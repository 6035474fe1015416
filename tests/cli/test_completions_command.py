"""Completion scripts: bash completes with the script, the others name all commands and options."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls
from ttsr_ls.cli.main import COMMANDS

ASK = """
source "$0"
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
$(complete -p ttsr-ls | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
echo "${COMPREPLY[*]}"
"""


@pytest.fixture
def script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "ttsr-ls.bash"
    path.write_text(ttsr_ls(capsys, "completions", "bash").out)
    return path


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["ch"], "check"),
        (["check", "--form"], "--format"),
        (["check", "--format", "s"], "sarif"),
        (["hooks", "stat"], "status"),
        (["scan", "--color", "n"], "never"),
        (["init", "--dry"], "--dry-run"),
        (["zz"], ""),
    ],
)
def test_bash_completes(typed: list[str], offered: str, script: Path) -> None:
    process = subprocess.run(["bash", "-c", ASK, script, "ttsr-ls", *typed], capture_output=True, text=True)
    assert process.stdout.strip() == offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_gets_all_commands_and_formats(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    ran = ttsr_ls(capsys, "completions", shell)
    assert (ran.status, ran.err) == (0, "")
    assert not [command.name for command in COMMANDS if command.name not in ran.out]
    assert "gitlab" in ran.out


def test_an_unknown_shell_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert ttsr_ls(capsys, "completions", "csh").status == 2
