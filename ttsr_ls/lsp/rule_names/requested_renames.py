"""The renames of files that the answers to `textDocument/rename` contain, which some editors announce once more."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ttsr_ls.lsp.rule_names.renaming import FileRename

_SECONDS = 120.0
"""How long after its request the edit of a rename is expected."""


class RequestedRenames:
    """Remembers the files of the last rename request. VS Code sends `willRenameFiles` for them, too."""

    def __init__(self) -> None:
        self._files: frozenset[tuple[str, str]] = frozenset()
        self._at = 0.0

    def remember(self, renames: Iterable[FileRename]) -> None:
        """Replaces the files of the request before."""
        self._files = frozenset((rename.old, rename.new) for rename in renames)
        self._at = time.monotonic()

    def without_requested(self, files: Mapping[str, str]) -> dict[str, str]:
        """Those of `files` that no answer to a request contains."""
        expected = self._files if time.monotonic() < self._at + _SECONDS else frozenset()
        self._files = self._files - files.items()
        return {old: new for old, new in files.items() if (old, new) not in expected}
