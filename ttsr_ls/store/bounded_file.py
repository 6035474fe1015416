"""Reading one file that anybody may have put there: up to a size, and nothing but a regular file.

A link is followed wherever it leads, as the reference agent does.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from ttsr_ls.errors import TtsrError

MAX_RULE_BYTES = 1024 * 1024
"""A larger file is not a rule: its body would not fit into any model's context. Neither is it a file of settings."""
_PART = 32 * 1024


class RuleUnreadableError(TtsrError):
    """A rule file, or a file of settings, could not be read; the text says which and why."""


def read_file(path: Path) -> bytes:
    """The bytes of a file. Raises RuleUnreadableError where it is too large, no file, or not readable."""
    try:
        # Without blocking, lest a pipe in the place of a file keep us waiting for its writer.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            mode = os.fstat(descriptor).st_mode
            # Of a folder, reading itself says best that it is one.
            if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
                raise RuleUnreadableError(f"cannot read {path}: it is not a file")
            data = _read(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise RuleUnreadableError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        # A NUL in a name that somebody else wrote.
        raise RuleUnreadableError(f"cannot read {str(path)!r}: {error}") from error
    if len(data) > MAX_RULE_BYTES:
        raise RuleUnreadableError(f"cannot read {path}: it is larger than {MAX_RULE_BYTES // 1024} KiB")
    return data


def _read(descriptor: int) -> bytes:
    """All of a file, or a byte more than it may have. In parts, as room for the largest takes long to make."""
    parts: list[bytes] = []
    left = MAX_RULE_BYTES + 1
    while left and (part := os.read(descriptor, min(left, _PART))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def read_text_if_there(path: Path) -> str | None:
    """The text of a file that need not exist, without a byte order mark; None where it does not or cannot be read."""
    try:
        return read_file(path).decode("utf-8", "replace").removeprefix("\ufeff")
    except RuleUnreadableError:
        return None
