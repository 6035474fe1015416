"""Tells when the client's process has ended: the protocol asks a server to end then (`processId` of `initialize`).

The end of standard input is not enough: another process of the client may hold the pipe open.
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

_LOOK = 3.0
_MAX_PROCESS_ID = 2**31 - 1


def watch_process(process_id: int, on_end: Callable[[], None], look: float = _LOOK) -> None:
    """Calls `on_end` in a thread of its own when the process has ended; never for one that is not seen now.

    A client in a container or on another machine names a process that does not exist here, and is there all the same.
    Where the system cannot tell of an end, the thread looks every `look` seconds.
    """
    if not 0 < process_id <= _MAX_PROCESS_ID or not _is_alive(process_id):
        logger.info("the client's process %s is not seen from here, so its end is not watched", process_id)
        return

    def wait() -> None:
        if not _was_told(process_id):
            while _is_alive(process_id):
                time.sleep(look)
        on_end()

    threading.Thread(target=wait, name="ttsr-ls client process", daemon=True).start()


def _was_told(process_id: int) -> bool:
    """Waits for the system to tell of the end; False where it cannot."""
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
        except OSError:  # It is somebody else's, but there.
            return True
        return True
