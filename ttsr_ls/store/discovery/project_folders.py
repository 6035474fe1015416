"""Answers which folders a project has: what globs of its rules are compared with."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

from msgspec import Struct

from ttsr_ls.store.files.existence import is_folder

MAX_ENTRIES = 2_000
"""How many entries of a folder are looked at. One with more has names that people do not write into globs."""


class FoldersOnDisk(Struct, frozen=True):
    """The folders below `root`, an absolute path, as they are when somebody asks. Never raises."""

    root: str

    def has(self, path: str) -> bool:
        """Returns whether there is a folder, or a link to one, at a path below the root."""
        return is_folder(Path(self.root, path))

    def below(self, path: str) -> tuple[str, ...]:
        """Returns the names of the folders directly in a folder, sorted; none where it cannot be read, or is large."""
        try:
            with os.scandir(Path(self.root, path)) as entries:
                found = list(islice(entries, MAX_ENTRIES + 1))
                folders = sorted(entry.name for entry in found if entry.is_dir())
        except (OSError, ValueError):
            return ()
        return tuple(folders) if len(found) <= MAX_ENTRIES else ()
