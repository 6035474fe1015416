"""The newest analysis of each open rule document, computed off the loop.

This is the whole of the debouncing: a document is analysed at once, a version that was overtaken before its turn came
is dropped, and whoever waits gets the newest. So the first keystroke waits for nothing, and a burst costs two analyses.
The document that the person works on goes before all others that wait (`analysis_queue`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.isolation.pattern_shapes import CheckedPatterns
from ttsr_ls.lsp.analysis.analysis_queue import AnalysisQueue
from ttsr_ls.lsp.uris import can_be_a_path, is_file
from ttsr_ls.matching.ast.search import PatternShapes

if TYPE_CHECKING:
    from ttsr_ls.ide.analysis import Analysis
    from ttsr_ls.lint.context import LintContext

logger = logging.getLogger(__name__)


class _Run(Struct, frozen=True, eq=False):
    document: Document
    disk_changes: int
    result: asyncio.Future[Analysis]

    def is_of(self, document: Document, disk_changes: int) -> bool:
        return self.document is document and self.disk_changes == disk_changes


class Analyses:
    """Analyses on demand. `current` gives the workspace as it is now; used on the loop only."""

    def __init__(self, current: Callable[[], Workspace]) -> None:
        self._current = current
        self._runs: dict[str, _Run] = {}
        self._patterns = CheckedPatterns()
        self._queue = AnalysisQueue()

    async def newest(self, uri: str) -> Analysis | None:
        """The analysis of the document at `uri` as it is when this returns; None where it is no open rule document."""
        while True:
            workspace = self._current()
            document = workspace.rule_document(uri)
            if document is None:
                self.forget(uri)
                return None
            run = self._run(document, workspace.disk_changes)
            try:
                # Shielded: a client that takes its request back must not take it from the others who wait.
                analysis = await asyncio.shield(run.result)
            except asyncio.CancelledError:
                task = asyncio.current_task()
                if task is not None and task.cancelling():
                    raise
                continue  # Only the run was cancelled: a newer version overtook it.
            workspace = self._current()
            if workspace.documents.get(uri) is document and workspace.disk_changes == run.disk_changes:
                return analysis

    def prefer(self, uri: str) -> None:
        """Analyses the document at `uri` before all others that wait: the person edits it or looks at it."""
        self._queue.prefer(uri)

    def forget(self, uri: str) -> None:
        """Drops what is known of a document that is no longer open."""
        run = self._runs.pop(uri, None)
        if run is not None:
            run.result.cancel()

    def close(self) -> None:
        """Stops as soon as what runs is done."""
        self._queue.close()
        self._patterns.close()

    def _run(self, document: Document, disk_changes: int) -> _Run:
        run = self._runs.get(document.uri)
        if run is not None and run.is_of(document, disk_changes):
            return run
        if run is not None:
            run.result.cancel()
        result = self._queue.submit(document.uri, lambda: _analyse(document, self._patterns))
        self._runs[document.uri] = _Run(document, disk_changes, result)
        return self._runs[document.uri]


def _analyse(document: Document, patterns: PatternShapes) -> Analysis:
    # Here and not above: these take long to import, and the answer to `initialize` must not wait for them.
    from ttsr_ls.ide.analysis import analyse

    return analyse(document, replace(_context(document), patterns=patterns))


def _context(document: Document) -> LintContext:
    """What a check of the document may know: the rules and settings around it, where it is a file."""
    from ttsr_ls.lint.context import LintContext
    from ttsr_ls.lsp.configuration import configuration_of
    from ttsr_ls.store.discovery.surroundings import surroundings_of

    # A URI can name what no file is called: NUL, half of a surrogate pair, a name that is too long.
    if not is_file(document.uri) or not can_be_a_path(document.path):
        return LintContext()
    path = Path(document.path)
    try:
        context = surroundings_of(path.parent).context(path)
        return configuration_of(path.parent).applied_to(context, path)
    except (OSError, ValueError) as error:
        logger.warning("%s is checked without the rules around it: %s", document.uri, error)
        return LintContext()
