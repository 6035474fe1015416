"""A disk that takes a number of bytes and then fails, as a full one does: in the middle of a line where it comes so."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

_WRITE = os.write
_FSYNC = os.fsync


class FailingDisk:
    """Takes `room` bytes; then `failures` calls fail; then it has room again. `written` counts all bytes."""

    def __init__(self, room: int, failures: int) -> None:
        self.room = room
        self.failures = failures
        self.written = 0

    def write(self, descriptor: int, data: bytes) -> int:
        if self.room <= 0 and self.failures > 0:
            self.failures -= 1
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        taken = _WRITE(descriptor, data[: self.room] if self.failures > 0 else data)
        self.room -= taken
        self.written += taken
        return taken


class FailingSync:
    """The sync number `fails_at` (from 1) fails, and all after it."""

    def __init__(self, fails_at: int) -> None:
        self.fails_at = fails_at
        self.calls = 0

    def sync(self, descriptor: int) -> None:
        self.calls += 1
        if self.calls >= self.fails_at:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        _FSYNC(descriptor)


@contextmanager
def on_disk(disk: FailingDisk) -> Iterator[FailingDisk]:
    """All writes go to `disk`."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "write", disk.write)
        yield disk


@contextmanager
def with_sync(sync: FailingSync) -> Iterator[FailingSync]:
    """All syncs of log files go through `sync`."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "fsync", sync.sync)
        yield sync
