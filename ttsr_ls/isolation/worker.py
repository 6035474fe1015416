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

_MAX_ANSWER_LENGTH = 1024 * 1024
"""In bytes. The longest answers have ten thousand matches of about 20 bytes."""
_NO_MORE = b""
_PROCESS_CLOCK = 2
"""The type of a Linux clock that counts the processor time of all threads of a process. A clock's number is the
inverted number of the process, followed by this type (`include/linux/posix-timers.h`), as `clock_getcpuclockid` returns
it.
"""


class WorkerLostError(TtsrError):
    """The process did not answer in time, or is gone."""


class Worker:
    """A running process. After `WorkerLostError` it must be stopped."""

    __slots__ = ("_answers", "_process", "_requests")

    def __init__(self, module: str) -> None:
        """Starts `python -m module`. Raises `WorkerLostError` if no process can be started."""
        # -P: nothing is imported from the working directory, which may have hostile modules.
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
        """Queues a request. A thread sends it when the process has read earlier ones."""
        self._requests.put(json.dumps(request).encode("ascii") + b"\n")

    @property
    def has_answered(self) -> bool:
        """True if the next call of `answer` does not wait."""
        return not self._answers.empty()

    def answer(self, seconds: float, processor_seconds: float = inf) -> Any:
        """Returns the next answer. Raises `WorkerLostError` if none comes within `seconds`, or before the process has
        used `processor_seconds`: a process that waits for a processor on a busy machine does not hang.
        """
        until = monotonic() + seconds
        limit = self._processor_time() + processor_seconds
        while True:
            # Only one thread of the process works, so the processor time never passes faster than time.
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
        """Returns the processor time of the process in seconds; the current time if the system does not know it."""
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
        # If the process is gone, its unread requests do not matter: its answers end, too.
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
