"""Follows the growing session logs of a workspace.

`LogFollower` returns new records without waiting; the caller, or `watch`, decides when to poll. The files are not
trusted: links are not followed, and a poll reads a bounded amount.
"""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

from ttsr_ls.store.files.bounded_file import open_regular
from ttsr_ls.store.log.codec import Record
from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.reader import LogDecoder, LogProblem
from ttsr_ls.store.log.session_dirs import is_being_written, session_files

_STEP = 4 * 1024 * 1024
_CHUNK = 256 * 1024
_REMEMBERED = 256
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class LoggedEvent(Struct, frozen=True):
    """A new record in the log at `log`; sequence 1 begins a session. `header` is None if it is damaged."""

    log: Path
    header: Header | None
    record: Record


class FollowedProblem(Struct, frozen=True):
    """A problem of the log at `log`."""

    log: Path
    problem: LogProblem


class _Followed:
    """The progress of reading one file. `last` are the last bytes that were read before `offset`."""

    __slots__ = ("decoder", "identity", "last", "offset")

    def __init__(self, status: os.stat_result, decoder: LogDecoder, offset: int) -> None:
        self.identity = (status.st_dev, status.st_ino)
        self.decoder = decoder
        self.offset = offset
        self.last = b""

    def is_continued_in(self, descriptor: int) -> bool:
        """Returns whether the open file still has `last` before `offset`. Leaves the file at `offset`.

        A writer removes a record that it could not sync, so a file may have shrunk and grown again between two polls.
        """
        os.lseek(descriptor, self.offset - len(self.last), os.SEEK_SET)
        return os.read(descriptor, len(self.last)) == self.last


class LogFollower:
    """Follows all session logs in a workspace's folder, which need not exist yet. A `poll` reads at most `step` bytes.

    The first `poll` returns all records of the newest session, and of those that are being written; of the others only
    later records. A file that shrank or was replaced is read again from its beginning. Not thread-safe.
    """

    __slots__ = ("_files", "_has_more", "_problems", "_started", "_step", "folder")

    def __init__(self, folder: Path, step: int = _STEP) -> None:
        self.folder = folder
        self._step = step
        self._files: dict[Path, _Followed] = {}
        self._problems: list[FollowedProblem] = []
        self._started = False
        self._has_more = False

    @property
    def has_more(self) -> bool:
        """True if the last `poll` reached its limit, so that more records are available at once."""
        return self._has_more

    def take_problems(self) -> tuple[FollowedProblem, ...]:
        """Returns the problems found since the last call. An incomplete last line is no problem."""
        problems, self._problems = tuple(self._problems), []
        return problems

    def poll(self) -> tuple[LoggedEvent, ...]:
        """Returns the new records since the last call, in order for each file, older sessions first. Never raises: an
        unreadable file has no new records.
        """
        paths = session_files(self.folder)
        for file_path in self._files.keys() - set(paths):
            del self._files[file_path]
        events: list[LoggedEvent] = []
        room = self._step
        for path in paths:
            is_old = not self._started and path != paths[-1] and not is_being_written(path)
            try:
                room -= self._follow(path, is_old, room, events)
            except OSError:
                continue
        self._started = True
        self._has_more = room <= 0
        return tuple(events)

    def _follow(self, path: Path, is_old: bool, room: int, events: list[LoggedEvent]) -> int:
        """Reads at most `room` new bytes of a file. Returns their number."""
        followed = self._files.get(path)
        status = path.lstat()
        if (
            followed is not None
            and followed.identity == (status.st_dev, status.st_ino)
            and status.st_size >= followed.offset
        ):
            if followed.offset == status.st_size or room <= 0:
                return 0
        else:
            followed = _follow_from_end(path, status) if is_old else _Followed(status, LogDecoder(), 0)
            self._files[path] = followed
        return self._read(path, followed, room, events)

    def _read(self, path: Path, followed: _Followed, room: int, events: list[LoggedEvent]) -> int:
        descriptor = open_regular(path, _FLAGS)
        size = 0
        try:
            if not followed.is_continued_in(descriptor):
                followed = self._files[path] = _Followed(os.fstat(descriptor), LogDecoder(), 0)
                os.lseek(descriptor, 0, os.SEEK_SET)
            while size < room and (data := os.read(descriptor, min(_CHUNK, room - size))):
                size += len(data)
                followed.offset += len(data)
                followed.last = (followed.last + data)[-_REMEMBERED:]
                records, problems = followed.decoder.feed(data)
                events += [LoggedEvent(path, followed.decoder.header, record) for record in records]
                self._problems += [FollowedProblem(path, problem) for problem in problems]
        finally:
            os.close(descriptor)
        return size


def _follow_from_end(path: Path, status: os.stat_result) -> _Followed:
    """Returns the progress of a file that is followed from the end of its last complete line."""
    descriptor = open_regular(path, _FLAGS)
    try:
        head = os.read(descriptor, _CHUNK)
        start = max(0, status.st_size - _CHUNK)
        os.lseek(descriptor, start, os.SEEK_SET)
        tail = os.read(descriptor, status.st_size - start)
    finally:
        os.close(descriptor)
    return _Followed(status, LogDecoder.joining(head), start + tail.rfind(b"\n") + 1)
