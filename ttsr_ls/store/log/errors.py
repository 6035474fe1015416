"""The errors of writing a session log. Each message names the file, the reason, and what to do."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from ttsr_ls.errors import TtsrError

_ADVICE = {
    errno.ENOSPC: "free some space on that disk",
    errno.EDQUOT: "free some space, your quota is used up",
    errno.EFBIG: "raise the limit on the size of files, or start a new session log",
    errno.EROFS: "make it writable, or choose another place for the log",
    errno.EACCES: "make it writable, or choose another place for the log",
    errno.EPERM: "make it writable, or choose another place for the log",
    errno.EIO: "check the disk, or choose another place for the log",
    errno.ELOOP: "it is a symbolic link; name the file itself",
    errno.ENOTDIR: "choose another place for the log",
    errno.EEXIST: "choose another place for the log",
    errno.EISDIR: "name a file",
    errno.ENAMETOOLONG: "choose a shorter name",
}


class LogWriteError(TtsrError):
    """The log could not be opened or written. The message names the file, the reason, and the remedy."""


class LogBusyError(LogWriteError):
    """Another process is writing the log."""


class LogNotUnderstoodError(LogWriteError):
    """The log has records that this version cannot read or order, so it must not continue the log."""


def log_write_error(action: str, path: Path, error: OSError) -> LogWriteError:
    """Returns the error for `action` ("open", "write") on the log at `path`."""
    number = error.errno or 0
    reason = error.strerror or str(error)
    # Reasons of this program already contain the remedy.
    advice = _ADVICE.get(number) if reason == os.strerror(number) else None
    return LogWriteError(f"cannot {action} the session log {path}: {reason}{f'; {advice}' if advice else ''}")
