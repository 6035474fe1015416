"""Writes a whole file atomically: a reader sees the old content or the new, and a failure changes nothing."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path


def replace_file(path: Path, data: bytes, mode: int | None = None, owner: tuple[int, int] | None = None) -> None:
    """Makes or replaces a file. A link is replaced, not followed.

    `mode` is the file's permissions; None: those that it has, or those of a new file. `owner` is its user and group,
    set where the system allows. Raises OSError.
    """
    if mode is None:
        mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o666 & ~_umask()
    with _written_beside(path, data, mode, owner) as temporary:
        temporary.replace(path)


def create_file(path: Path, data: bytes, mode: int) -> None:
    """Makes a file. Raises FileExistsError where the name is taken, and OSError."""
    with _written_beside(path, data, mode, None) as temporary:
        # Unlike a rename, a link fails where the name was taken in the meantime.
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
            # Not every user may give files away; the file is theirs to write all the same.
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
