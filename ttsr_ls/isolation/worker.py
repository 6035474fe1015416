"""A Python module that runs in a process of its own and talks in JSON lines, each awaited for a limited time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from math import inf
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any

import ttsr_ls
from ttsr_ls.errors import TtsrError

_MAX_ANSWER_LENGTH = 64 * 1024
_NO_MORE = b""
_PROCESS_CLOCK = 2
"""The kind of clock that counts all threads of the process whose number stands, inverted, before it: Linux says so in
`include/linux/posix-timers.h`, and `clock_getcpuclockid` makes such numbers.
"""


class WorkerLostError(TtsrError):
    """The process did not answer in time, or is gone."""


class Worker:
    """A running process. After `WorkerLostError` it is of no use any more and has to be stopped."""

    __slots__ = ("_answers", "_process", "_requests")

    def __init__(self, module: str) -> None:
        """Starts `python -m module`. Raises WorkerLostError where no process can be started."""
        # -P: nothing is imported from the folder that we happen to be in, which may be anybody's.
        command = [sys.executable, "-P", "-m", module]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": _import_path()},
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except (OSError, ValueError) as error:
            raise WorkerLostError(f"cannot start {sys.executable or 'Python'}: {error}") from error
        self._answers: SimpleQueue[bytes] = SimpleQueue()
        self._requests: SimpleQueue[bytes] = SimpleQueue()
        for work in (self._listen, self._send):
            Thread(target=work, name=module, daemon=True).start()

    def ask(self, request: object) -> None:
        """Sends a request, as soon as the process takes it: it may still be busy with those before."""
        self._requests.put(json.dumps(request).encode("ascii") + b"\n")

    @property
    def has_answered(self) -> bool:
        """True if the next `answer` need not be waited for."""
        return not self._answers.empty()

    def answer(self, seconds: float, processor_seconds: float = inf) -> Any:
        """The next answer. Raises WorkerLostError where none came within so many seconds, or before the process used
        so much processor time: on a busy machine, a process that waits for a processor does not hang.
        """
        until = monotonic() + seconds
        limit = self._processor_time() + processor_seconds
        while True:
            # One thread works, so that no more processor time passes than time.
            left = min(until - monotonic(), max(limit - self._processor_time(), 0.0))
            try:
                line = self._answers.get(timeout=max(left, 0.0))
                break
            except Empty:
                if monotonic() >= until or self._processor_time() >= limit:
                    raise WorkerLostError("there was no answer in time") from None
        if not line.endswith(b"\n"):
            raise WorkerLostError("the process ended")
        return json.loads(line)

    def _processor_time(self) -> float:
        """The processor time that the process used, in seconds; the time where the system does not tell it."""
        if sys.platform == "linux":
            with suppress(OSError):  # The process is gone.
                return time.clock_gettime(~self._process.pid << 3 | _PROCESS_CLOCK)
        return monotonic()

    def stop(self) -> None:
        """Ends the process, whatever it is doing."""
        self._process.kill()
        self._requests.put(_NO_MORE)
        self._process.wait()

    def _send(self) -> None:
        assert self._process.stdin is not None
        # What a process that is gone did not read any more does not matter: its answers end, too.
        with suppress(OSError), self._process.stdin as requests:
            while (request := self._requests.get()) is not _NO_MORE:
                requests.write(request)
                requests.flush()

    def _listen(self) -> None:
        with self._process.stdout as answers:  # type: ignore[union-attr]
            while True:
                line = answers.readline(_MAX_ANSWER_LENGTH)
                self._answers.put(line)
                if not line.endswith(b"\n"):
                    return


def _import_path() -> str:
    """Returns the folder from which the process can import this package."""
    here = str(Path(ttsr_ls.__file__).absolute().parents[1])
    inherited = os.environ.get("PYTHONPATH")
    return os.pathsep.join([here, inherited] if inherited else [here])
