"""An editor that a probe inside of it tells of: what it shows, and what it answers."""

from __future__ import annotations

import json
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.fork_server import program as forked

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0
"""Seconds that anything may take. An editor starts in two; on a machine with much else to do, in twenty."""

Diagnostic = dict[str, Any]


class Editor:
    """The test's end of the line to a probe. Everything is awaited; nothing is polled."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        # No file of `makefile`: after one timeout it cannot be read again, so each later test would fail as well.
        self._received = bytearray()
        self._last_id = 0
        self._shown: dict[str, list[Diagnostic]] = {}
        deadline = time.monotonic() + PATIENCE
        while not self._next(deadline).get("ready"):
            pass

    def ask(self, ask: str, **given: Any) -> Any:
        """Asks for something and waits for the answer."""
        self._last_id += 1
        message = {"id": self._last_id, "ask": ask, **given}
        self._connection.settimeout(PATIENCE)
        self._connection.sendall((json.dumps(message) + "\n").encode())
        deadline = time.monotonic() + PATIENCE
        while (answer := self._next(deadline)).get("id") != self._last_id:
            pass
        assert "error" not in answer, answer["error"]
        return answer["answer"]

    def wait_for(self, path: Path, accept: Callable[[list[Diagnostic]], bool]) -> list[Diagnostic]:
        """The diagnostics of `ttsr-ls` that are shown on a file, as soon as they are acceptable."""
        key, deadline = str(path), time.monotonic() + PATIENCE
        while not accept(shown := self._shown.get(key, [])):
            try:
                self._next(deadline)
            except TimeoutError:
                raise AssertionError(f"only this was shown on {path.name}: {shown}") from None
        return shown

    def _next(self, deadline: float) -> dict[str, Any]:
        """The next message of the probe. Raises TimeoutError, after which the line is as good as before."""
        while (end := self._received.find(b"\n")) < 0:
            self._connection.settimeout(max(deadline - time.monotonic(), 0.001))
            data = self._connection.recv(1 << 16)
            assert data, "the probe went away"
            self._received += data
        message: dict[str, Any] = json.loads(self._received[:end])
        del self._received[: end + 1]
        if "diagnostics" in message:
            # An editor has others as well: VS Code's own server for TypeScript starts at some time.
            ours = [found for found in message["diagnostics"] if found.get("source") == "ttsr"]
            self._shown[message["path"]] = ours
        return message


def server_program(scratch: Path) -> Path:
    """This checkout's `ttsr-ls` as a program, whether it is installed or not. Servers are those of the fork server."""
    program = scratch / "ttsr-ls"
    serve, other = shlex.join(forked("serve")), shlex.join([sys.executable, "-m", "ttsr_ls"])
    program.write_text(
        f"#!/bin/sh\nexport PYTHONPATH={shlex.quote(str(ROOT))}\n"
        f'[ "$1" != serve ] || {{ shift; exec {serve} "$@"; }}\nexec {other} "$@"\n'
    )
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
            started.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            started.kill()
        with started:  # closes the pipes
            pass
