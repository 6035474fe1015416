"""Detects the end of the client's process, after which a server has to exit (`processId` of `initialize`).

The end of standard input does not suffice: another process of the client may keep the pipe open.
"""

from __future__ import annotations

import logging
import os
import select
import sys
import threading
import time
from collections.abc import Callable

logger = logging.getLogger(__name__)

_POLL_INTERVAL = 3.0
_MAX_PROCESS_ID = 2**31 - 1


def watch_process(process_id: int, on_end: Callable[[], None], interval: float = _POLL_INTERVAL) -> None:
    """Calls `on_end` in a thread of its own when the process has ended; never for a process that does not exist now.

    A client in a container or on another machine sends the id of a process that does not exist here, and is still
    running. If the system cannot report the end, the thread polls every `interval` seconds.
    """
    if not 0 < process_id <= _MAX_PROCESS_ID or not _is_alive(process_id):
        logger.info("the client's process %s is not seen from here, so its end is not watched", process_id)
        return

    def wait() -> None:
        if not _wait_for_end(process_id):
            while _is_alive(process_id):
                time.sleep(interval)
        on_end()

    threading.Thread(target=wait, name="ttsr-ls client process", daemon=True).start()


def _wait_for_end(process_id: int) -> bool:
    """Waits until the system reports the end of the process; False if it cannot report it."""
    if not hasattr(os, "pidfd_open"):
        return False
    try:
        descriptor = os.pidfd_open(process_id)
    except ProcessLookupError:
        return True
    except OSError:  # A kernel without it, or no more descriptors.
        return False
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        poll.poll()
    finally:
        os.close(descriptor)
    return True


if sys.platform == "win32":

    def _is_alive(process_id: int) -> bool:
        # `os.kill` would end the process. 0x00100000 is SYNCHRONIZE, 0x102 WAIT_TIMEOUT.
        import ctypes

        kernel = ctypes.windll.kernel32
        handle = kernel.OpenProcess(0x00100000, False, process_id)
        if not handle:
            return False
        try:
            return bool(kernel.WaitForSingleObject(handle, 0) == 0x102)
        finally:
            kernel.CloseHandle(handle)

else:

    def _is_alive(process_id: int) -> bool:
        try:
            os.kill(process_id, 0)
        except ProcessLookupError:
            return False
        except OSError:  # The process exists and belongs to another user.
            return True
        return True
