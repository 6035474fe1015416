"""Tests whether a path exists. Unlike the methods of `Path`, never raises.

Those raise for names that are too long and for inaccessible folders. Paths come from settings, editors and agents.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

from ttsr_ls.store.files.disk_reads import record_read


def exists(path: Path) -> bool:
    """Returns whether the path exists; links are followed."""
    record_read(path)
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def is_file(path: Path) -> bool:
    """Returns whether there is a regular file; links are followed."""
    record_read(path)
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Returns whether there is a folder; links are followed."""
    record_read(path)
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def is_named(path: Path) -> bool:
    """Returns whether the path exists, including a broken link."""
    record_read(path)
    return os.path.lexists(path)


def is_unlistable_folder(path: Path) -> bool:
    """Returns whether there is a folder that the system refuses to list, or a broken link in its place."""
    record_read(path)
    try:
        with os.scandir(path):
            return False
    except PermissionError:
        # If a folder further above is closed, such as another user's home, it is unknown whether there is a folder.
        return os.path.lexists(path) or os.path.lexists(path.parent)
    except FileNotFoundError:
        return _is_below_broken_link(path)
    except OSError as error:
        return error.errno == errno.ELOOP
    except ValueError:
        return False


def _is_below_broken_link(path: Path) -> bool:
    """Returns whether a path that does not exist is a broken link, or below one."""
    nearest = next(part for part in (path, *path.parents) if os.path.lexists(part))
    return not os.path.exists(nearest)  # noqa: PTH110 - never raises, and what `nearest` holds does not matter
