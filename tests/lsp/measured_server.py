"""A language server as a process that is measured: its messages, its processor time, its memory."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from tests.lsp.talk import ROOT

Accept = Callable[[dict[str, Any]], bool]


class MeasuredServer:
    """A server's process, its input and its output. `home` is its home folder, for its files."""

    def __init__(self, process: subprocess.Popen[bytes], home: Path) -> None:
        self.home = home
        self._process = process
        self._last = 0
        self._received: SimpleQueue[dict[str, Any]] = SimpleQueue()
        # As an editor does: who reads only when it waits for an answer blocks a server that has much to tell.
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, method: str, params: object, **more: object) -> None:
        """Sends a message."""
        self._write({"method": method, "params": params, **more})

    def ask(self, method: str, params: object) -> Any:
        """Sends a request and waits for its answer."""
        self._last += 1
        self.send(method, params, id=self._last)
        while (message := self._received.get()).get("id") != self._last or "method" in message:
            pass
        return message.get("result")

    def open(self, uri: str, text: str, language: str = "markdown") -> None:
        """Opens a document in its version 1."""
        item = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.send("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, text: str) -> None:
        """Replaces the text of a document."""
        document = {"uri": uri, "version": version}
        self.send("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def wait_for(self, method: str, accept: Accept) -> dict[str, Any]:
        """The params of the next message of the server that is accepted."""
        while (message := self._received.get()).get("method") != method or not accept(message["params"]):
            pass
        params: dict[str, Any] = message["params"]
        return params

    def published(self, wanted: set[tuple[str, int]]) -> None:
        """Waits until diagnostics of all these versions of documents came."""
        while wanted:
            found = self.wait_for("textDocument/publishDiagnostics", lambda _: True)
            wanted.discard((found["uri"], found.get("version", 0)))

    @property
    def processor_ms(self) -> float:
        """The processor time that the process took up to now, in milliseconds. NaN where the system does not tell."""
        status = Path(f"/proc/{self._process.pid}/stat")
        if not status.exists():
            return float("nan")
        fields = status.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")

    @property
    def memory_mb(self) -> float:
        """The memory of the process and of its children, in megabytes. NaN where the system does not tell."""
        status = Path(f"/proc/{self._process.pid}/status")
        if not status.exists():
            return float("nan")
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        return sum(map(_resident_kb, [self._process.pid, *map(int, children)])) / 1024

    def _read(self) -> None:
        assert self._process.stdout is not None
        length = 0
        for line in self._process.stdout:
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
            elif not line.strip():
                message = json.loads(self._process.stdout.read(length))
                if "id" in message and "method" in message:  # A server may wait for the answer.
                    self._write({"id": message["id"], "result": None})
                self._received.put(message)

    def _write(self, message: dict[str, object]) -> None:
        assert self._process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()


@contextmanager
def running(command: Sequence[str], folder: Path | None = None) -> Iterator[MeasuredServer]:
    """Runs a server, in `folder` if one is given."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name).resolve()
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": name, "XDG_STATE_HOME": f"{name}/state"}
        pipe = subprocess.PIPE
        process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment, cwd=folder or home
        )
        try:
            yield MeasuredServer(process, home)
        finally:
            process.kill()
            process.communicate()


def timed(action: Callable[[], object]) -> float:
    """How long an action takes, in milliseconds."""
    began = time.perf_counter()
    action()
    return (time.perf_counter() - began) * 1000


def shown(times: Sequence[float]) -> str:
    """Times in milliseconds as text: the one, or their median and 95th percentile."""
    ordered = sorted(times)
    if len(ordered) == 1:
        return f"{ordered[0]:.1f} ms"
    return f"{statistics.median(ordered):.1f} ms, 95th percentile {ordered[int(0.95 * len(ordered))]:.1f} ms"


def _resident_kb(process: int) -> int:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS:")), 0)
