"""Lists the folders of a project, with which the globs of its rules are compared."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

from msgspec import Struct

from ttsr_ls.store.files.existence import is_folder

MAX_ENTRIES = 2_000
"""The most entries of a folder. Larger folders have generated names, which no user writes into globs."""


class FoldersOnDisk(Struct, frozen=True):
    """The current folders below `root`, an absolute path. Never raises."""

    root: str

    def has(self, path: str) -> bool:
        """Returns whether there is a folder, or a link to one, at a path below the root."""
        return is_folder(Path(self.root, path))

    def below(self, path: str) -> tuple[str, ...]:
        """Returns the names of the folders directly in a folder, sorted; none if it cannot be read, or is too large."""
        try:
            with os.scandir(Path(self.root, path)) as entries:
                found = list(islice(entries, MAX_ENTRIES + 1))
                folders = sorted(entry.name for entry in found if entry.is_dir())
        except (OSError, ValueError):
            return ()
        return tuple(folders) if len(found) <= MAX_ENTRIES else ()
