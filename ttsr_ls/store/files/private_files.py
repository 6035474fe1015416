"""Files and folders with access for their owner only: session logs contain everything that an agent read and wrote."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from ttsr_ls.store.files.existence import exists

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def is_readable_by_others(path: Path) -> bool:
    """Returns whether users outside of the file's group can read it, and enter all folders above it.

    False for a missing file, and on Windows, where modes do not show it.
    """
    try:
        real = path.resolve(strict=True)
        is_open = bool(real.stat().st_mode & stat.S_IROTH)
        return os.name == "posix" and is_open and all(folder.stat().st_mode & stat.S_IXOTH for folder in real.parents)
    except OSError:
        return False


def make_private_folders(folder: Path) -> None:
    """Creates a folder and missing folders above it, each with access for its owner only. Raises OSError."""
    paths = [path for path in (folder, *folder.parents) if not exists(path)]
    # `Path.mkdir` gives its mode to the last folder only.
    for path in reversed(paths):
        path.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)


def restrict_to_owner(path: Path, descriptor: int) -> None:
    """Removes the permissions of all other users from an open file.

    Raises PermissionError, which says what to do, if the file belongs to another user.
    """
    mode = stat.S_IMODE(os.fstat(descriptor).st_mode)
    if mode & _OTHERS and hasattr(os, "fchmod"):
        try:
            os.fchmod(descriptor, mode & ~_OTHERS)
        except PermissionError as error:
            reason = f"others can read it and its mode cannot be changed (chmod 600 {path.name}, or name another file)"
            raise PermissionError(error.errno, reason, str(path)) from error
