"""Tests whether a path exists. Unlike the methods of `Path`, never raises.

Those raise for names that are too long and for inaccessible folders. Paths come from settings, editors and agents.
"""

from __future__ import annotations

import os
from pathlib import Path

from ttsr_ls.store.files.disk_reads import note_read


def exists(path: Path) -> bool:
    """Returns whether the path exists; links are followed."""
    note_read(path)
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def is_file(path: Path) -> bool:
    """Returns whether there is a regular file; links are followed."""
    note_read(path)
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Returns whether there is a folder; links are followed."""
    note_read(path)
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def is_named(path: Path) -> bool:
    """Returns whether the path exists, including a broken link."""
    note_read(path)
    return os.path.lexists(path)


def is_unlistable_folder(path: Path) -> bool:
    """Returns whether there is a folder whose entries the system refuses to list."""
    if not is_folder(path):
        return False
    try:
        with os.scandir(path):
            return False
    except PermissionError:
        return True
    except OSError:
        return False
