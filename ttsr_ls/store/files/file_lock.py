"""An advisory lock on an open file, so that a session log has one writer; gone when its process dies.

Readers never take it.
"""

from __future__ import annotations

import sys


def try_lock(descriptor: int) -> bool:
    """Takes the lock for as long as the file stays open; False where another holds it."""
    try:
        _lock(descriptor)
    except OSError:
        return False
    return True


if sys.platform == "win32":
    import msvcrt
    import os

    # Windows locks are mandatory: the locked byte must be one that no reader ever comes to.
    _FAR = 1 << 62

    def _lock(descriptor: int) -> None:
        position = os.lseek(descriptor, 0, os.SEEK_CUR)
        try:
            os.lseek(descriptor, _FAR, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(descriptor, position, os.SEEK_SET)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
