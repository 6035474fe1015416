"""The renames of files in responses to `textDocument/rename`, for which some editors send `willRenameFiles`, too."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ttsr_ls.lsp.rule_names.renaming import FileRename

_SECONDS = 120.0
"""Seconds after a rename request in which the editor may apply its edit."""


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
        """Those of `files` that are not part of the last rename request."""
        expected = self._files if time.monotonic() < self._at + _SECONDS else frozenset()
        self._files = self._files - files.items()
        return {old: new for old, new in files.items() if (old, new) not in expected}
