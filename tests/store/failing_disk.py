"""A disk that fails after a number of bytes, like a full one, possibly within a line."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

_WRITE = os.write


class FailingDisk:
    """Accepts `room` bytes, then fails `failures` calls; then the same with each of `more`; then accepts everything."""

    def __init__(self, room: int, failures: int, more: tuple[tuple[int, int], ...] = ()) -> None:
        self._windows = [(room, failures), *more]

    def write(self, descriptor: int, data: bytes) -> int:
        while self._windows and self._windows[0] == (0, 0):
            del self._windows[0]
        if not self._windows:
            return _WRITE(descriptor, data)
        room, failures = self._windows[0]
        if not room:
            self._windows[0] = (0, failures - 1)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        taken = _WRITE(descriptor, data[:room])
        self._windows[0] = (room - taken, failures)
        return taken


class FailingSync:
    """The sync number `fails_at` (from 1) fails, and all after it. Those before take no time, and do nothing."""

    def __init__(self, fails_at: int) -> None:
        self.fails_at = fails_at
        self.calls = 0

    def sync(self, descriptor: int) -> None:
        self.calls += 1
        if self.calls >= self.fails_at:
            raise OSError(errno.EIO, os.strerror(errno.EIO))


@contextmanager
def on_disk(disk: FailingDisk) -> Iterator[FailingDisk]:
    """Sends all writes to `disk`."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "write", disk.write)
        yield disk


@contextmanager
def with_sync(sync: FailingSync) -> Iterator[FailingSync]:
    """Has `sync` perform all syncs of log files."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "fsync", sync.sync)
        yield sync
