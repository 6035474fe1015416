"""Writing a session log: append-only JSON lines, one writer, nothing ever rewritten.

A record counts once `append` returned; where it raised, the record does not exist for anyone. `commit` also waits for
the disk, and is for events that something outside is about to be told of (design.md, "persist first").
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from ttsr_ls.engine.turn_events import TurnEvent
from ttsr_ls.errors import TtsrError, UsageError
from ttsr_ls.store.codec import Record, encode_record
from ttsr_ls.store.file_lock import try_lock
from ttsr_ls.store.log_reader import Header, LogContent, LogDecoder, LogProblem, encode_header
from ttsr_ls.store.private_files import PRIVATE_FILE, make_private_folders, take_from_others

_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


class LogWriteError(TtsrError):
    """The log could not be opened or written; the text says which file and why."""


class LogBusyError(LogWriteError):
    """Another process is writing the log."""


class TurnLog:
    """The one writer of a session log. Use `open`; close it, or use it as a context manager."""

    __slots__ = ("_broken", "_descriptor", "_sequence", "_torn", "path")

    def __init__(self, path: Path, descriptor: int, sequence: int, *, torn: bool) -> None:
        self.path = path
        self._descriptor = descriptor
        self._sequence = sequence
        self._torn = torn
        self._broken = False

    @classmethod
    def open(cls, path: Path, header: Header) -> Self:
        """Opens a log to append to, new with `header` or existing with its own. Raises LogWriteError.

        The last component of `path` must not be a symbolic link, so that nobody can point a log at another file.
        An existing log continues its count; if its last line is torn it is ended first, and readers skip it. A file
        that is no log stays as it is.
        """
        return cls.open_with_content(path, header)[0]

    @classmethod
    def open_with_content(cls, path: Path, header: Header) -> tuple[Self, LogContent]:
        """`open`, and what the log held then. Nobody else writes to it any more, so this is all of it."""
        try:
            make_private_folders(path.parent)
            descriptor = os.open(path, _FLAGS, PRIVATE_FILE)
        except OSError as error:
            raise LogWriteError(f"cannot open the session log {path}: {error.strerror}") from error
        try:
            return cls._started(path, descriptor, header)
        except OSError as error:
            os.close(descriptor)
            raise LogWriteError(f"cannot write the session log {path}: {error.strerror}") from error
        except LogWriteError:
            os.close(descriptor)
            raise

    @classmethod
    def _started(cls, path: Path, descriptor: int, header: Header) -> tuple[Self, LogContent]:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise LogWriteError(f"cannot write the session log {path}: it is not a file")
        if not try_lock(descriptor):
            raise LogBusyError(f"another process is writing the session log {path}")
        decoder = LogDecoder()
        records: list[Record] = []
        problems: list[LogProblem] = []
        os.lseek(descriptor, 0, os.SEEK_SET)
        size = 0
        while data := os.read(descriptor, 1 << 20):
            size += len(data)
            more_records, more_problems = decoder.feed(data)
            records += more_records
            problems += more_problems
        torn = decoder.finish()
        if size and decoder.header is None:
            raise LogWriteError(f"{path} is not a session log, so nothing is added to it; name another file")
        # Not before: the mode of a file that is no log is none of our business.
        take_from_others(path, descriptor)
        log = cls(path, descriptor, decoder.last_sequence, torn=bool(torn))
        if not size:
            log._write(encode_header(header))
            _sync_folder(path.parent)
        return log, LogContent(decoder.header if size else header, tuple(records), (*problems, *torn))

    @property
    def sequence(self) -> int:
        """The number of the last record."""
        return self._sequence

    def append(self, event: TurnEvent, time: int) -> Record:
        """Appends an event that happened at `time` (milliseconds since the epoch). Raises LogWriteError."""
        record = Record(self._sequence + 1, time, event)
        try:
            self._write(encode_record(record))
        except OSError as error:
            raise LogWriteError(f"cannot write the session log {self.path}: {error.strerror}") from error
        self._sequence = record.sequence
        return record

    def commit(self, event: TurnEvent, time: int) -> Record:
        """`append`, and the record is on disk when this returns. Raises LogWriteError.

        After a failed sync nobody can tell what is on disk, so the log takes nothing more.
        """
        record = self.append(event, time)
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            self._broken = True
            raise LogWriteError(f"cannot write the session log {self.path} to disk: {error.strerror}") from error
        return record

    def close(self) -> None:
        """Lets go of the file and its lock. Closing twice is fine."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _write(self, line: bytes) -> None:
        if self._descriptor < 0:
            raise UsageError("the session log is closed")
        if self._broken:
            raise LogWriteError(f"the session log {self.path} failed before and takes nothing more")
        data = b"\n" + line if self._torn else line
        # A line goes out in one call, so that a reader sees it whole in all but the rarest case. Only a disk that
        # fills up cuts it; then the next append ends the torn line first.
        while data:
            written = os.write(self._descriptor, data)
            self._torn = True
            data = data[written:]
        self._torn = False


def _sync_folder(folder: Path) -> None:
    """Puts a new file's name on disk, without which its content is lost with the power; not every system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
