"""What checks of open documents may know of the disk: looked at once for each change of it, and not at each keystroke.

A client that watches files tells of every change inside of the workspace folders. Where a change may go untold, the
disk is looked at again after a second: the client does not watch (Neovim on Linux), or a part of the document's
repository is elsewhere.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.uris import can_be_a_path, is_file

if TYPE_CHECKING:
    from ttsr_ls.lint.context import LintContext

logger = logging.getLogger(__name__)

_LIFETIME = 1.0
"""How many seconds a look at the disk counts where changes may go untold."""


class DocumentContexts:
    """The contexts of checks of documents. For use by several threads. `clock` counts seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._told: _Look | None = None
        self._untold: _Look | None = None

    def context(self, document: Document, workspace: Workspace, *, is_watching: bool) -> LintContext:
        """What a check of a document of `workspace` may know; `is_watching` tells whether the client watches files."""
        # Here and not above: these take long to import, and the answer to `initialize` must not wait for them.
        from ttsr_ls.lint.context import LintContext

        # A URI can name what no file is called: NUL, half of a surrogate pair, a name that is too long.
        if not is_file(document.uri) or not can_be_a_path(document.path):
            return LintContext()
        path = Path(document.path)
        try:
            is_told = is_watching and _is_repository_inside(path.parent, workspace.folders)
            with self._lock:
                return self._look(workspace.disk_changes, is_told).context(path)
        except (OSError, ValueError) as error:
            logger.warning("%s is checked without the rules around it: %s", document.uri, error)
            return LintContext()

    def _look(self, disk_changes: int, is_told: bool) -> _Look:
        look = self._told if is_told else self._untold
        is_old = not is_told and look is not None and self._clock() >= look.taken_at + _LIFETIME
        if look is None or is_old or look.disk_changes != disk_changes:
            look = _Look(disk_changes, self._clock())
            if is_told:
                self._told = look
            else:
                self._untold = look
        return look


class _Look:
    """One look at the disk."""

    __slots__ = ("_contexts", "_mistakes", "disk_changes", "taken_at")

    def __init__(self, disk_changes: int, taken_at: float) -> None:
        from ttsr_ls.store.discovery.lint_contexts import LintContexts

        self.disk_changes = disk_changes
        self.taken_at = taken_at
        self._contexts = LintContexts()
        self._mistakes: set[str] = set()

    def context(self, path: Path) -> LintContext:
        """What a check of the file at `path` may know; a wrong configuration counts for nothing."""
        from ttsr_ls.lint.config.config import ConfigError

        context = self._contexts.around(path)
        try:
            return self._contexts.configured(context, path)
        except ConfigError as error:
            if str(error) not in self._mistakes:
                self._mistakes.add(str(error))
                logger.warning("%s", error)
            return context


def _is_repository_inside(folder: Path, workspace_folders: tuple[str, ...]) -> bool:
    """Whether the repository around a folder, which is all that has a say in its rules, is in a workspace folder."""
    real = folder.resolve()
    root = next((each for each in (real, *real.parents) if os.path.lexists(each / ".git")), None)
    return root is not None and any(root.is_relative_to(Path(each).resolve()) for each in workspace_folders)
