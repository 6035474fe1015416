"""Records the files and folders that a computation reads, so that it is repeated only after one of them changed.

The functions of this package record their reads, so the record is complete for all of discovery.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

CHECK_AFTER = 1.0
"""Seconds after which the disk is checked again if no file watcher reports changes."""

_State = tuple[int, int, int, int] | None


class DiskReads:
    """The files and folders that were read, each with its earlier state. For one thread at a time."""

    __slots__ = ("_states",)

    def __init__(self) -> None:
        self._states: dict[str, _State] = {}

    @contextmanager
    def recorded(self) -> Iterator[None]:
        """Records the reads of this thread in the body of a `with`."""
        token = _RECORDING.set(self)
        try:
            yield
        finally:
            _RECORDING.reset(token)

    def record(self, path: str) -> None:
        """Records a file or folder, which need not exist, before it is read for the first time."""
        if path not in self._states:
            self._states[path] = _state(path)

    def have_changed(self) -> bool:
        """Returns whether a recorded file or folder was changed, created or removed. Takes a few hundred calls of
        `stat`."""
        for path, state in self._states.items():
            # Most missing paths stay missing, and one call finds that out.
            if os.path.lexists(path) if state is None else _state(path) != state:
                return True
        return False


_RECORDING: ContextVar[DiskReads | None] = ContextVar("recording", default=None)


def record_read(path: Path | str) -> None:
    """Records a file or folder that is about to be read, if a `DiskReads` is active."""
    reads = _RECORDING.get()
    if reads is not None:
        reads.record(os.fspath(path))


def _state(path: str) -> _State:
    try:
        found = os.stat(path)  # noqa: PTH116 - a Path for each of hundreds takes longer than the call itself
    except (OSError, ValueError):
        return (-1, -1, -1, -1) if os.path.lexists(path) else None
    # ctime changes with the permissions, the inode with a replacement of the same age and length.
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino
