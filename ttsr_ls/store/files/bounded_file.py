"""Reads a file of unknown origin: up to a size limit, and only regular files.

Links are followed, as the reference agent does.
"""

from __future__ import annotations

import errno
import os
import stat
from enum import Enum, auto
from pathlib import Path

from ttsr_ls.errors import TtsrError
from ttsr_ls.store.files.disk_reads import record_read

MAX_RULE_BYTES = 1024 * 1024
"""A larger file, in bytes, is neither a rule, whose body would not fit into any model's context, nor a settings
file."""
MAX_EDITED_BYTES = 4 * 1024 * 1024
"""In a larger file, in bytes, the position of an edit is not searched for."""
_PART = 32 * 1024


class UnreadableCause(Enum):
    """The cause of a failed read, as far as its remedies differ."""

    ACCESS = auto()
    """The file cannot be opened, or is no regular file."""
    FILE_TOO_LARGE = auto()
    ALL_TOO_LARGE = auto()
    """The files that were read before it reach the limit for all files together."""
    TOO_MANY_FILES = auto()
    """A folder, or all rule folders together, have more files than are listed."""
    TOO_MANY_PATTERNS = auto()
    """An ignore file has more patterns than are read."""


class RuleUnreadableError(TtsrError):
    """A rule file or a settings file could not be read. The message names the file and the reason."""

    def __init__(self, message: str, cause: UnreadableCause = UnreadableCause.ACCESS) -> None:
        super().__init__(message)
        self.cause = cause


def read_file(path: Path) -> bytes:
    """Returns the bytes of a file. Raises RuleUnreadableError if it is too large, no file, or not readable."""
    try:
        data = read_bytes(path, MAX_RULE_BYTES + 1)
    except OSError as error:
        raise RuleUnreadableError(f"cannot read {path}: {error.strerror}") from error
    if len(data) > MAX_RULE_BYTES:
        message = f"cannot read {path}: it is larger than {MAX_RULE_BYTES // 1024} KiB"
        raise RuleUnreadableError(message, UnreadableCause.FILE_TOO_LARGE)
    return data


def open_regular(path: Path | str, flags: int = os.O_RDONLY) -> int:
    """Returns the descriptor of a regular file. Raises OSError, also for an invalid name.

    Opening never blocks: neither on a pipe nor on a device in place of a file.
    """
    record_read(path)
    unblocked = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags | unblocked)
    except ValueError as error:
        # A NUL or a lone surrogate, in a name from a hostile file.
        raise OSError(errno.EINVAL, f"this cannot be the name of a file ({error})", str(path)) from error
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "it is not a file", str(path))
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def read_bytes(path: Path | str, limit: int) -> bytes:
    """Returns the first `limit` bytes of a regular file. Raises OSError.

    Reads in parts: a buffer of `limit` bytes takes long to allocate, and a file can grow while it is read.
    """
    descriptor = open_regular(path)
    try:
        parts: list[bytes] = []
        remaining = limit
        while remaining and (part := os.read(descriptor, min(remaining, _PART))):
            parts.append(part)
            remaining -= len(part)
        return b"".join(parts)
    finally:
        os.close(descriptor)


def read_text(path: Path) -> str:
    """Returns the text of a file, without a byte order mark. Raises RuleUnreadableError as `read_file` does."""
    return read_file(path).decode("utf-8", "replace").removeprefix("\ufeff")


def read_optional_text(path: Path) -> str | None:
    """Returns the text of an optional file, without a byte order mark; None if it does not exist or cannot be read."""
    try:
        return read_text(path)
    except RuleUnreadableError:
        return None


def read_edited_text(folder: Path, path: str) -> str | None:
    """Returns the text of a file that an agent in `folder` edits; None if it is no text, too large, or unreadable."""
    try:
        data = read_bytes(folder / path, MAX_EDITED_BYTES + 1)
        return data.decode("utf-8") if len(data) <= MAX_EDITED_BYTES else None
    except (OSError, UnicodeDecodeError):
        return None
