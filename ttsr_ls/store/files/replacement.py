"""Writes a whole file atomically: a reader sees the old content or the new, and a failure changes nothing."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path


def replace_file(path: Path, data: bytes, mode: int | None = None, owner: tuple[int, int] | None = None) -> None:
    """Creates or replaces a file. A link is replaced, not followed.

    `mode` are the file's permissions; None: its present ones, or those of a new file. `owner` is its user and group,
    set if the system allows it. Raises OSError.
    """
    if mode is None:
        mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o666 & ~_umask()
    with _written_beside(path, data, mode, owner) as temporary:
        temporary.replace(path)


def create_file(path: Path, data: bytes, mode: int) -> None:
    """Creates a file. Raises FileExistsError if the name is taken, or another OSError."""
    with _written_beside(path, data, mode, None) as temporary:
        # Unlike a rename, a link fails if the name was taken in the meantime.
        os.link(temporary, path)


@contextlib.contextmanager
def _written_beside(path: Path, data: bytes, mode: int, owner: tuple[int, int] | None) -> Iterator[Path]:
    # In the same folder, so that the replacement is one step on one file system. The name does not contain the
    # file's own, which may be as long as the system allows.
    descriptor, name = tempfile.mkstemp(prefix=".ttsr-", suffix=".tmp", dir=path.parent)
    temporary = Path(name)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - of a descriptor, for which Path has nothing
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        temporary.chmod(mode)
        if owner is not None and hasattr(os, "chown"):
            # Not every user may change the owner; the new content is written all the same.
            with contextlib.suppress(OSError):
                os.chown(temporary, *owner)
        yield temporary
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
