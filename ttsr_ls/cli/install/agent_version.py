"""Asks an agent's program for its version. A program that hangs or prints endlessly is killed with its children."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

MAX_PRINTED = 64 * 1024
"""How much output is read, in bytes."""


def version_output(program: str, timeout: float = 20.0) -> str:
    """Returns the output of `program --version`, which may take `timeout` seconds.

    Raises OSError for a program that cannot be started; TimeoutError and ValueError, whose messages begin with "it".
    """
    process = subprocess.Popen(
        [program, "--version"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert process.stdout is not None
    with killed_at_end(process, timeout) as timed_out, process.stdout as output:
        data = output.read(MAX_PRINTED + 1)
    if timed_out.is_set():
        raise TimeoutError(f"it takes longer than {timeout:.0f} seconds")
    if len(data) > MAX_PRINTED:
        raise ValueError(f"it prints more than {MAX_PRINTED // 1024} KiB")
    return data.decode("utf-8", "replace")


@contextmanager
def killed_at_end(process: subprocess.Popen[bytes], timeout: float) -> Iterator[threading.Event]:
    """Kills a process that has a group of its own, and all that it started, at the end or after `timeout` seconds.

    The event is set at the timeout.
    """
    timed_out = threading.Event()

    def end() -> None:
        timed_out.set()
        _kill_group(process)

    timer = threading.Timer(timeout, end)
    timer.start()
    try:
        yield timed_out
    finally:
        timer.cancel()
        _kill_group(process)
        process.wait()


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
