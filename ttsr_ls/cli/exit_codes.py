"""The exit statuses of commands."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit statuses that every command shares."""

    OK = 0
    FINDINGS = 1
    """The command worked, and has a negative result: findings (`check`), a failed test, or a failed turn (`agent`)."""
    USAGE = 2
    """The command could not do its work: wrong arguments, or a file that cannot be read."""
    INTERRUPTED = 130
    """Ctrl-C, as shells report it."""
    BROKEN_PIPE = 141
    """The reader of the output closed it; the status that shells report."""
