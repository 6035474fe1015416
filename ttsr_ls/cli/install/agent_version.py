"""Asks an agent's program for its version. One that hangs or prints without end is killed with all it started."""

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

    Raises OSError for a program that cannot be started, and TimeoutError and ValueError, whose texts say what it does.
    """
    process = subprocess.Popen(
        [program, "--version"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert process.stdout is not None
    with killed_at_end(process, timeout) as is_late, process.stdout as output:
        data = output.read(MAX_PRINTED + 1)
    if is_late.is_set():
        raise TimeoutError(f"it takes longer than {timeout:.0f} seconds")
    if len(data) > MAX_PRINTED:
        raise ValueError(f"it prints more than {MAX_PRINTED // 1024} KiB")
    return data.decode("utf-8", "replace")


@contextmanager
def killed_at_end(process: subprocess.Popen[bytes], timeout: float) -> Iterator[threading.Event]:
    """Kills a process that has a group of its own, and all that it started, at the end or after `timeout` seconds.

    The event is set if the time was over.
    """
    is_late = threading.Event()

    def end() -> None:
        is_late.set()
        _kill_group(process)

    timer = threading.Timer(timeout, end)
    timer.start()
    try:
        yield is_late
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
