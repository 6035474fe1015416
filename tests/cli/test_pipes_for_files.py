"""A pipe or a device in the place of a file that a command reads by itself: no command blocks on it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls
from tests.cli.hostile_project import check_output

Capture = pytest.CaptureFixture[str]

FILES = (
    ".omp/config.yml",
    ".omp/settings.json",
    ".omp/RULES.md",
    "ttsr-ls.toml",
    "pyproject.toml",
    ".gitignore",
    ".ignore",
    ".git/info/exclude",
    ".git/config",
    "package.json",
    "src/a.ts",
    ".cursor/rules/a.mdc",
    ".github/instructions/a.instructions.md",
)
COMMANDS = (
    ["check"],
    ["list", "--all"],
    ["scan"],
    ["scan", "--no-gitignore", "--max-bytes", "0"],
    ["test", "x"],
    ["why", "fires"],
    ["watch", "--from", "claude", "--no-log", "stream.jsonl"],
)


@pytest.mark.parametrize("kind", ["pipe", "device", "link"])
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_blocks_on_a_pipe_in_the_place_of_a_file(
    hostile: Path, capsys: Capture, kind: str, words: list[str]
) -> None:
    for name in FILES:
        path = hostile / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        if kind == "device":
            path.symlink_to("/dev/zero")
        elif kind == "pipe":
            os.mkfifo(path)
        else:
            os.mkfifo(path.with_name(f"{path.name}.pipe"))
            path.symlink_to(f"{path.name}.pipe")
    ran = ttsr_ls(capsys, *words)
    assert ran.status in (0, 1, 2)
    check_output(ran.out + ran.err, words)
