"""An advisory lock on an open file, so that a file has one writer; released when its process dies.

Readers never take it; `is_locked` takes it for a moment only, shared if the system supports that.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ttsr_ls.store.files.private_files import PRIVATE_FILE, make_private_folders

_POLL_SECONDS = 0.02
_PROBE_SECONDS = 0.1
"""Longer than `is_locked` of another process keeps a lock."""


def open_lock_file(path: Path) -> int:
    """Opens a file that exists only to be locked; creates it and its folder if they are missing. Raises OSError."""
    make_private_folders(path.parent)
    return os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), PRIVATE_FILE)


@contextmanager
def hold_lock(path: Path, seconds: float) -> Iterator[bool]:
    """Holds the lock of a lock file in the body of a `with`. Raises OSError.

    Yields False, without the lock, if another holder kept it for `seconds`. Two threads of a process exclude each other
    like two processes.
    """
    descriptor = open_lock_file(path)
    try:
        yield wait_for_lock(descriptor, seconds)
    finally:
        os.close(descriptor)


def wait_for_lock(descriptor: int, seconds: float = _PROBE_SECONDS) -> bool:
    """Takes the lock until the file is closed. Returns False if another holder kept it for `seconds`.

    By default waits only for processes that look whether the file is locked.
    """
    end = time.monotonic() + seconds
    while not try_lock(descriptor):
        if time.monotonic() > end:
            return False
        time.sleep(_POLL_SECONDS)
    return True


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
