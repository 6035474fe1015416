"""An editor that a probe inside of it tells of: what it shows, and what it answers."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PATIENCE = 40.0

Diagnostic = dict[str, Any]


class Editor:
    """The test's end of the line to a probe. Everything is awaited; nothing is polled."""

    def __init__(self, connection: socket.socket) -> None:
        connection.settimeout(PATIENCE)
        self._connection = connection
        self._lines = connection.makefile("r", encoding="utf-8")
        self._last_id = 0
        self._shown: dict[str, list[Diagnostic]] = {}
        self._until(lambda message: bool(message.get("ready")))

    def ask(self, ask: str, **given: Any) -> Any:
        """Asks for something and waits for the answer."""
        self._last_id += 1
        message = {"id": self._last_id, "ask": ask, **given}
        self._connection.sendall((json.dumps(message) + "\n").encode())
        answer = self._until(lambda message: message.get("id") == self._last_id)
        assert "error" not in answer, answer["error"]
        return answer["answer"]

    def wait_for(self, path: Path, accept: Callable[[list[Diagnostic]], bool]) -> list[Diagnostic]:
        """The diagnostics that are shown on a file, as soon as they are acceptable."""
        key = str(path)
        try:
            while not accept(self._shown.get(key, [])):
                self._until(lambda message: message.get("path") == key)
        except TimeoutError:
            raise AssertionError(f"only this was shown on {path.name}: {self._shown.get(key)}") from None
        return self._shown[key]

    def _until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        for line in self._lines:
            message: dict[str, Any] = json.loads(line)
            if "diagnostics" in message:
                self._shown[message["path"]] = message["diagnostics"]
            if wanted(message):
                return message
        raise AssertionError("the probe went away")


def server_program(scratch: Path) -> Path:
    """This checkout's `ttsr-ls` as a program, whether it is installed or not."""
    program = scratch / "ttsr-ls"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m ttsr_ls "$@"\n')
    program.chmod(0o755)
    return program


@contextmanager
def process(command: list[str], environment: dict[str, str], log: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that ends with the block; its error output goes to `log`."""
    pipe = subprocess.PIPE
    with log.open("w") as errors:
        started = subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, stderr=errors, text=True)
    try:
        yield started
    finally:
        started.terminate()
        try:
            started.wait(10)
        except subprocess.TimeoutExpired:
            started.kill()
        with started:  # closes the pipes
            pass
