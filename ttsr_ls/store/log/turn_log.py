"""Writes a session log: append-only JSON lines with one writer.

**Commit.** A record exists for all readers once `append` returned, and for none if it raised. Its line feed is the
commit point. A line can be torn by a crash, a full disk or a failed header write at any byte, also right before its
line feed. The next writer, in this process or a later one, ends the torn line with the bytes CAN LF (`CANCEL`), which
makes it invalid for every reader. Truncating the torn line instead would be wrong: a reader that follows the file has
read it already, and would join its bytes to those of the next record. The number of a torn line is used again.

**Sync policy.** `append` waits for the disk (fsync) for the events in `SYNCED`, because a model, a provider, the user
or an MCP client is about to see their effects. One sync covers all records before it, so a caller whose effects follow
several records may `write` each of them, and `sync` once. Other records reach the disk with the next sync, or when the
system writes them out. A crash of the program loses none; a power failure may lose those after the last sync. After a
failed sync, the content of the disk is unknown: the records that it was about are truncated if possible (they are
complete, so nothing could invalidate them in place; followers notice that the file shrank), and the log accepts no more
records.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from ttsr_ls.errors import UsageError
from ttsr_ls.escaping import one_line
from ttsr_ls.session.history.turn_events import (
    FeatureRecorded,
    InjectionCommitted,
    OutputInterrupted,
    ReminderFolded,
    RuleTriggered,
    TurnEvent,
)
from ttsr_ls.store.files.file_lock import wait_for_lock
from ttsr_ls.store.files.private_files import PRIVATE_FILE, make_private_folders, restrict_to_owner
from ttsr_ls.store.log.codec import LAST_SEQUENCE, Record, encode_record
from ttsr_ls.store.log.errors import LogBusyError, LogWriteError, log_write_error
from ttsr_ls.store.log.header import Header, encode_header
from ttsr_ls.store.log.reader import CANCEL, LogContent, LogDecoder, read_descriptor
from ttsr_ls.store.log.recovery import check_writable, no_number_left

__all__ = ["SYNCED", "LogBusyError", "LogWriteError", "TurnLog"]

SYNCED = (RuleTriggered, OutputInterrupted, InjectionCommitted, ReminderFolded, FeatureRecorded)
"""The events that are on the disk when `append` returns."""

_MAX_DIRTY = 64 * 1024
"""How many bytes are written before the system is asked to write them to the disk. A sync then finds little to write:
after 800 KB, it took 0.4 ms instead of 1.5, and 0.5 instead of 4.6 in one of ten cases."""

_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT
for _name in ("O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"):  # Not every system has each of them.
    _FLAGS |= getattr(os, _name, 0)


class TurnLog:
    """The one writer of a session log. Use `open`; close it, or use it as a context manager."""

    __slots__ = ("_descriptor", "_failure", "_sequence", "_torn", "_unsynced", "_written_back", "path")

    def __init__(self, path: Path, descriptor: int, sequence: int, *, torn: bool) -> None:
        self.path = path
        self._descriptor = descriptor
        self._sequence = sequence
        self._torn = torn
        self._failure: str | None = None
        """Why the log accepts no more records; None if it does."""
        self._written_back = os.fstat(descriptor).st_size
        """The size of the file when the system was asked last to write it to the disk."""
        self._unsynced: tuple[int, int] | None = None
        """The size of the file and the last number before the first event of `SYNCED` that may not be on the disk."""

    @classmethod
    def open(cls, path: Path, header: Header) -> Self:
        """Opens a log to append to, new with `header` or existing with its own.

        An existing log continues its count. A torn or damaged header is followed by a new one.

        Raises LogBusyError if the log is being written; LogNotUnderstoodError if this version cannot read or order its
        records; LogWriteError if the file is not a session log, or cannot be written. Then the file is unchanged. The
        last component of `path` must not be a symbolic link, so that nobody can point a log at another file.
        """
        return cls.open_with_content(path, header)[0]

    @classmethod
    def open_with_content(cls, path: Path, header: Header) -> tuple[Self, LogContent]:
        """Opens a log like `open`, and returns its content, too. No other process can write to it any more."""
        try:
            make_private_folders(path.parent)
            descriptor = os.open(path, _FLAGS, PRIVATE_FILE)
        except OSError as error:
            raise log_write_error("open", path, error) from error
        except ValueError as error:  # A NUL or a lone surrogate.
            message = f"cannot open the session log {one_line(str(path))}: no file can have this name; choose another"
            raise LogWriteError(message) from error
        try:
            return cls._started(path, descriptor, header)
        except OSError as error:
            os.close(descriptor)
            raise log_write_error("write", path, error) from error
        except BaseException:
            os.close(descriptor)
            raise

    @classmethod
    def _started(cls, path: Path, descriptor: int, header: Header) -> tuple[Self, LogContent]:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise LogWriteError(f"cannot write the session log {path}: it is not a file; name one")
        if not wait_for_lock(descriptor):
            raise LogBusyError(
                f"the session log {path} is being written, by another process or by an open session of this one; close "
                "it first, or name another file"
            )
        os.lseek(descriptor, 0, os.SEEK_SET)
        decoder = LogDecoder()
        content = read_descriptor(descriptor, decoder)
        is_new = os.fstat(descriptor).st_size == 0
        if not is_new:
            check_writable(path, decoder, content)
        # Only now: the mode of a file that is no log must not change.
        restrict_to_owner(path, descriptor)
        log = cls(path, descriptor, decoder.highest_sequence, torn=decoder.is_within_line)
        if decoder.header is None:
            log._write(encode_header(header))
        if is_new:
            _sync_folder(path.parent)
        return log, LogContent(decoder.header or header, content.records, content.problems)

    @property
    def sequence(self) -> int:
        """The number of the last record."""
        return self._sequence

    def append(self, event: TurnEvent, time: int) -> Record:
        """Appends an event that happened at `time` (milliseconds since the epoch), and syncs it if it is in `SYNCED`.

        Raises LogWriteError if the event could not be recorded.
        """
        record = self.write(event, time)
        self.sync()
        return record

    def write(self, event: TurnEvent, time: int) -> Record:
        """Appends an event like `append`, except that the caller must `sync` before effects of the event are visible.

        Raises LogWriteError if the event could not be recorded.
        """
        record = Record(self._sequence + 1, time, event)
        if record.sequence > LAST_SEQUENCE:
            raise LogWriteError(no_number_left(self.path))
        try:
            size_before = self._write(encode_record(record))
        except OSError as error:
            raise log_write_error("write", self.path, error) from error
        if isinstance(event, SYNCED) and self._unsynced is None:
            self._unsynced = size_before, self._sequence
        self._sequence = record.sequence
        return record

    def sync(self) -> None:
        """Waits until all events of `SYNCED` are on the disk.

        Raises LogWriteError if that failed. Then the records since the first one that may not be there are removed if
        possible.
        """
        if self._unsynced is None:
            return
        (size_before, sequence_before), self._unsynced = self._unsynced, None
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            self._failure = (
                f"the session log {self.path} takes nothing more, because writing it to disk failed; check the disk, "
                "then start again and continue this log or a new one"
            )
            self._sequence = sequence_before
            with suppress(OSError):
                os.ftruncate(self._descriptor, size_before)
            raise log_write_error("write", self.path, error) from error

    def close(self) -> None:
        """Closes the file and releases its lock. Closing twice is allowed."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _write(self, line: bytes) -> int:
        """Writes a line. Returns the size of the file before it."""
        if self._descriptor < 0:
            raise UsageError("the session log is closed")
        if self._failure is not None:
            raise LogWriteError(self._failure)
        before = os.fstat(self._descriptor)
        if before.st_nlink == 0:
            # Writes would succeed, but nobody could ever read them.
            self._failure = (
                f"the session log {self.path} takes nothing more, because its file was deleted; start again, with a "
                "new log"
            )
            raise LogWriteError(self._failure)
        # Nearly always one call, so that readers see whole lines. A full disk may write only a part.
        data = CANCEL + b"\n" + line if self._torn else line
        while data:
            written = os.write(self._descriptor, data)
            if written <= 0:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            self._torn = data[written - 1 : written] != b"\n"
            data = data[written:]
        if before.st_size - self._written_back >= _MAX_DIRTY:
            self._start_writing_back(before.st_size)
        return before.st_size

    def _start_writing_back(self, size: int) -> None:
        """Asks the system to write to the disk what the file had at this size. Does not wait for that."""
        if sys.platform == "linux":
            start, length = self._written_back, size - self._written_back
            with suppress(OSError):
                os.posix_fadvise(self._descriptor, start, length, os.POSIX_FADV_DONTNEED)
        self._written_back = size


def _sync_folder(folder: Path) -> None:
    """Syncs a folder: without it, a power failure may lose a new file. Not every system supports it."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
