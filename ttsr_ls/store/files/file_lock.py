"""An advisory lock on an open file, so that a session log has one writer; released when its process dies.

Readers never take it; `is_locked` takes it for a moment only, shared if the system supports that.
"""

from __future__ import annotations

import sys


def try_lock(descriptor: int) -> bool:
    """Takes the lock until the file is closed. Returns False if another process holds it."""
    try:
        _lock(descriptor)
    except OSError:
        return False
    return True


def is_locked(descriptor: int) -> bool:
    """Returns whether another process holds the lock. Close the file directly afterwards."""
    try:
        _share(descriptor)
    except OSError:
        return True
    return False


if sys.platform == "win32":
    import msvcrt
    import os

    # Windows locks are mandatory: the locked byte must be beyond everything that is read.
    _FAR = 1 << 62

    def _lock(descriptor: int) -> None:
        position = os.lseek(descriptor, 0, os.SEEK_CUR)
        try:
            os.lseek(descriptor, _FAR, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(descriptor, position, os.SEEK_SET)

    _share = _lock

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _share(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
