"""Runs `ttsr-ls agent` in a process of its own, with typed input, and reads its output."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.command import environment
from tests.fork_server import program


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder, with a home beside it."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return work


def script(folder: Path, *answers: object, **others: object) -> None:
    (folder / "script.yaml").write_text(json.dumps({"answers": answers, **others}))


def run(folder: Path, *args: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Runs the agent in a process of its own, with this typed in."""
    command = [*program("agent"), "--script", "script.yaml", *args]
    return subprocess.run(
        command, cwd=folder, env=environment(), input=typed, capture_output=True, text=True, timeout=60
    )


def started(folder: Path, *args: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "ttsr_ls", "agent", "--script", "script.yaml", *args]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=folder, env=environment(), stdin=pipe, stdout=pipe, stderr=pipe, text=True)


class Printed:
    """The output of a process, which is read on demand."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        self._descriptor = process.stdout.fileno()
        self._rest = ""

    def until(self, text: str) -> None:
        """Reads up to the end of `text`."""
        deadline = time.monotonic() + 60
        while text not in self._rest:
            waiting = max(0.0, deadline - time.monotonic())
            assert select.select([self._descriptor], [], [], waiting)[0], f"{text!r} is not printed: {self._rest}"
            piece = os.read(self._descriptor, 1000).decode()
            assert piece, self._rest
            self._rest += piece
        self._rest = self._rest.partition(text)[2]

    def has_more(self, seconds: float) -> bool:
        """Returns whether more output comes within a number of seconds."""
        return bool(self._rest) or bool(select.select([self._descriptor], [], [], seconds)[0])

    def stays_silent(self, seconds: float) -> None:
        """Asserts that nothing is printed for a number of seconds."""
        assert not self._rest
        assert not select.select([self._descriptor], [], [], seconds)[0]
