"""The lint contexts of open documents: read again after changes on the disk, not at each keystroke.

A client that watches files reports every change inside of the workspace folders. Changes may go unreported where the
client does not watch (Neovim on Linux), or where a part of the document's repository is elsewhere. For such documents,
the files that were read are compared again after a second.
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
from ttsr_ls.store.files.disk_reads import CHECK_AFTER, DiskReads

if TYPE_CHECKING:
    from ttsr_ls.lint.context import LintContext

logger = logging.getLogger(__name__)


class DocumentContexts:
    """The contexts of checks of documents. For use by several threads. `clock` counts seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._reported: _Look | None = None
        self._unreported: _Look | None = None

    def context(self, document: Document, workspace: Workspace, *, is_watching: bool) -> LintContext:
        """The context for checks of a document. `is_watching`: the client reports changes of files."""
        # Imported lazily: these take long to import, and the answer to `initialize` must not wait for them.
        from ttsr_ls.lint.context import LintContext

        # A URI can have a path that no file has: with a NUL, half of a surrogate pair, or too long.
        if not is_file(document.uri) or not can_be_a_path(document.path):
            return LintContext()
        path = Path(document.path)
        try:
            is_reported = is_watching and _is_repository_inside(path.parent, workspace.folders)
            with self._lock:
                return self._look(workspace.disk_changes, is_reported).context(path)
        except (OSError, ValueError) as error:
            logger.warning("%s is checked without the rules around it: %s", document.uri, error)
            return LintContext()

    def _look(self, disk_changes: int, is_reported: bool) -> _Look:
        look = self._reported if is_reported else self._unreported
        if look is None or look.disk_changes != disk_changes or (not is_reported and look.is_stale(self._clock())):
            look = _Look(disk_changes, self._clock())
            if is_reported:
                self._reported = look
            else:
                self._unreported = look
        return look


class _Look:
    """One state of the disk. `now` counts seconds."""

    __slots__ = ("_checked_at", "_contexts", "_mistakes", "_reads", "disk_changes")

    def __init__(self, disk_changes: int, now: float) -> None:
        from ttsr_ls.store.discovery.lint_contexts import LintContexts

        self.disk_changes = disk_changes
        self._checked_at = now
        self._reads = DiskReads()
        self._contexts = LintContexts()
        self._mistakes: set[str] = set()

    def is_stale(self, now: float) -> bool:
        """Returns whether a file that was read has changed. The files are compared once a second at most."""
        if now < self._checked_at + CHECK_AFTER:
            return False
        self._checked_at = now
        return self._reads.have_changed()

    def context(self, path: Path) -> LintContext:
        """The context for checks of the file at `path`; an invalid configuration is ignored."""
        with self._reads.recorded():
            return self._read_context(path)

    def _read_context(self, path: Path) -> LintContext:
        from ttsr_ls.lint.config.config import ConfigError

        context = self._contexts.without_config(path)
        try:
            return self._contexts.with_config(context, path)
        except ConfigError as error:
            if str(error) not in self._mistakes:
                self._mistakes.add(str(error))
                logger.warning("%s", error)
            return context


def _is_repository_inside(folder: Path, workspace_folders: tuple[str, ...]) -> bool:
    """Returns whether the repository around a folder is in a workspace folder: only its files affect the rules."""
    real = folder.resolve()
    root = next((path for path in (real, *real.parents) if os.path.lexists(path / ".git")), None)
    return root is not None and any(root.is_relative_to(Path(folder).resolve()) for folder in workspace_folders)
