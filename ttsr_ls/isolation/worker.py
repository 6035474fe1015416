"""A Python module that runs in a process of its own and talks in JSON lines, each awaited for a limited time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

import ttsr_ls
from ttsr_ls.errors import TtsrError

_LONGEST_ANSWER = 64 * 1024


class WorkerLostError(TtsrError):
    """The process did not answer in time, or is gone."""


class Worker:
    """A running process. After `WorkerLostError` it is of no use any more and has to be stopped."""

    __slots__ = ("_answers", "_process")

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
        Thread(target=self._listen, name=module, daemon=True).start()

    def ask(self, request: object) -> None:
        """Sends a request. Raises WorkerLostError."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode("ascii") + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise WorkerLostError("the process is gone") from error

    def answer(self, seconds: float) -> Any:
        """The next answer. Raises WorkerLostError where none came within so many seconds."""
        try:
            line = self._answers.get(timeout=max(seconds, 0))
        except Empty:
            raise WorkerLostError(f"there was no answer for {seconds:.1f} s") from None
        if not line.endswith(b"\n"):
            raise WorkerLostError("the process ended")
        return json.loads(line)

    def stop(self) -> None:
        """Ends the process, whatever it is doing."""
        self._process.kill()
        with suppress(OSError):  # What it did not read any more does not matter.
            assert self._process.stdin is not None
            self._process.stdin.close()
        self._process.wait()

    def _listen(self) -> None:
        with self._process.stdout as answers:  # type: ignore[union-attr]
            while True:
                line = answers.readline(_LONGEST_ANSWER)
                self._answers.put(line)
                if not line.endswith(b"\n"):
                    return


def _import_path() -> str:
    """Where the process finds this package, wherever it was imported from."""
    here = str(Path(ttsr_ls.__file__).absolute().parents[1])
    inherited = os.environ.get("PYTHONPATH")
    return os.pathsep.join([here, inherited] if inherited else [here])
