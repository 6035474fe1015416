"""Asks an agent's program for its version. One that hangs or prints without end is killed with all it started."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from contextlib import suppress

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
    ended = threading.Event()

    def end() -> None:
        ended.set()
        kill_group(process)

    timer = threading.Timer(timeout, end)
    timer.start()
    try:
        with process.stdout as output:
            data = output.read(MAX_PRINTED + 1)
    finally:
        timer.cancel()
        kill_group(process)
        process.wait()
    if ended.is_set():
        raise TimeoutError(f"it takes longer than {timeout:.0f} seconds")
    if len(data) > MAX_PRINTED:
        raise ValueError(f"it prints more than {MAX_PRINTED // 1024} KiB")
    return data.decode("utf-8", "replace")


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kills a process that has a group of its own, with all that it started."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
