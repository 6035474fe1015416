"""The newest analysis of each open rule document, computed off the loop.

This replaces debouncing: a document is analysed at once, the analysis of an outdated version is dropped or abandoned,
and all waiting requests get the newest analysis. So the first keystroke is not delayed. The document that the user
edits goes before all others that wait (`analysis_queue`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.checkpoint import checkpoint
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.isolation.pattern_shapes import PatternShapeCache
from ttsr_ls.lsp.analysis.analysis_queue import AnalysisQueue
from ttsr_ls.lsp.analysis.contexts import DocumentContexts
from ttsr_ls.lsp.analysis.prepared_diagnostics import PreparedDiagnostics
from ttsr_ls.lsp.threads.request_priority import RequestPriority

if TYPE_CHECKING:
    from ttsr_ls.ide.analysis import Analysis
    from ttsr_ls.lint.context import LintContext


class _Run(Struct, frozen=True, eq=False):
    document: Document
    disk_changes: int
    result: asyncio.Future[Analysis]

    def is_of(self, document: Document, disk_changes: int) -> bool:
        return self.document is document and self.disk_changes == disk_changes


class Analyses:
    """Analyses on demand; used on the loop only.

    `current` returns the current workspace, `is_watching` whether the client watches files for the server.
    """

    def __init__(
        self,
        current: Callable[[], Workspace],
        is_watching: Callable[[], bool],
        priority: RequestPriority,
        diagnostics: PreparedDiagnostics,
    ) -> None:
        self._current = current
        self._is_watching = is_watching
        self._contexts = DocumentContexts()
        self._runs: dict[str, _Run] = {}
        self._ends: dict[str, asyncio.Future[None]] = {}
        """By document, the future that requests wait for while its newest run is not done."""
        self._patterns = PatternShapeCache()
        self._queue = AnalysisQueue(priority)
        self._diagnostics = diagnostics
        self.after_first: Callable[[], None] = _nothing
        """Called in the thread of the first analysis of an open document when it is done, so when the engine is
        imported."""

    async def newest(self, uri: str) -> Analysis | None:
        """The analysis of the newest version of the document at `uri`; None if it is no open rule."""
        while True:
            workspace = self._current()
            document = workspace.rule_document(uri)
            if document is None:
                self.forget(uri)
                return None
            run = self._run(document, workspace)
            if run.result.done():
                return run.result.result()
            # Shielded: a cancelled request must not cancel what other requests wait for.
            await asyncio.shield(self._newest_ended(uri))

    def document_changed(self, uri: str) -> None:
        """Replaces an unfinished analysis of the document at `uri`, which the user edits, by one of its newest text."""
        self.prefer(uri)
        run = self._runs.get(uri)
        if run is None or run.result.done():
            return
        workspace = self._current()
        document = workspace.rule_document(uri)
        if document is None:
            self.forget(uri)
        else:
            self._run(document, workspace)

    def prefer(self, uri: str) -> None:
        """Analyses the document at `uri` before all pending ones, because the user edits or views it."""
        self._queue.prefer(uri)

    def analyse_closed(self, document: Document, workspace: Workspace) -> Analysis:
        """The analysis of a document that is not open. For a thread."""
        return self._analyse(document, workspace)

    def context(self, document: Document, workspace: Workspace) -> LintContext:
        """Returns the context for checking a document. Runs in a thread."""
        return self._contexts.context(document, workspace, is_watching=self._is_watching())

    def forget(self, uri: str) -> None:
        """Forgets a document that is no longer open."""
        self._runs.pop(uri, None)
        self._diagnostics.forget(uri)
        self._queue.abandon(uri)

    def close(self) -> None:
        """Abandons all analyses."""
        self._queue.close()
        self._patterns.close()

    def _run(self, document: Document, workspace: Workspace) -> _Run:
        run = self._runs.get(document.uri)
        if run is not None and run.is_of(document, workspace.disk_changes):
            return run
        result = self._queue.submit(document.uri, lambda: self._analyse_open(document, workspace))
        result.add_done_callback(lambda ended: self._ended(document.uri, ended))
        self._runs[document.uri] = _Run(document, workspace.disk_changes, result)
        return self._runs[document.uri]

    def _newest_ended(self, uri: str) -> asyncio.Future[None]:
        """Returns the future that is done when the newest run of a document ends.

        A run that a newer one replaces wakes nobody: many requests may wait while the user types.
        """
        if uri not in self._ends:
            self._ends[uri] = asyncio.get_running_loop().create_future()
        return self._ends[uri]

    def _ended(self, uri: str, result: asyncio.Future[Analysis]) -> None:
        run = self._runs.get(uri)
        if run is None or run.result is result:
            end = self._ends.pop(uri, None)
            if end is not None:
                end.set_result(None)

    def _analyse_open(self, document: Document, workspace: Workspace) -> Analysis:
        analysis = self._analyse(document, workspace)
        run = self._runs.get(document.uri)
        if run is not None and run.document is document:  # Else it is outdated.
            self._diagnostics.prepare(analysis)
        after_first, self.after_first = self.after_first, _nothing
        after_first()
        return analysis

    def _analyse(self, document: Document, workspace: Workspace) -> Analysis:
        # Imported lazily: it takes long to import, and the answer to `initialize` must not wait for it.
        from ttsr_ls.ide.analysis import analyse

        checkpoint()
        return analyse(document, replace(self.context(document, workspace), patterns=self._patterns))


def _nothing() -> None:
    """Does nothing."""
