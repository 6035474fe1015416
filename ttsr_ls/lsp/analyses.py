"""The newest analysis of each open rule document, computed off the loop.

This is the whole of the debouncing: a document is analysed at once, a version that was overtaken before its turn came
is dropped, and whoever waits gets the newest. So the first keystroke waits for nothing, and a burst costs two analyses.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.engine.ast_search import PatternShapes
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.isolation.pattern_shapes import CheckedPatterns
from ttsr_ls.lsp.uris import is_file

if TYPE_CHECKING:
    from ttsr_ls.ide.analysis import Analysis

# Two, so that one document whose patterns are costly does not hold up the others.
_WORKERS = 2


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
        self._workers = ThreadPoolExecutor(_WORKERS, thread_name_prefix="ttsr-ls analysis")

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

    def forget(self, uri: str) -> None:
        """Drops what is known of a document that is no longer open."""
        run = self._runs.pop(uri, None)
        if run is not None:
            run.result.cancel()

    def close(self) -> None:
        """Stops as soon as what runs is done."""
        self._workers.shutdown(wait=False, cancel_futures=True)
        self._patterns.close()

    def _run(self, document: Document, disk_changes: int) -> _Run:
        run = self._runs.get(document.uri)
        if run is not None and run.is_of(document, disk_changes):
            return run
        if run is not None:
            run.result.cancel()
        loop = asyncio.get_running_loop()
        result = loop.run_in_executor(self._workers, _analyse, document, self._patterns)
        self._runs[document.uri] = _Run(document, disk_changes, result)
        return self._runs[document.uri]


def _analyse(document: Document, patterns: PatternShapes) -> Analysis:
    # Here and not above: these take long to import, and the answer to `initialize` must not wait for them.
    from ttsr_ls.ide.analysis import analyse
    from ttsr_ls.lint.context import LintContext
    from ttsr_ls.lsp.configuration import configuration_of
    from ttsr_ls.store.surroundings import surroundings_of

    if not is_file(document.uri):
        return analyse(document, LintContext(patterns=patterns))
    path = Path(document.path)
    context = surroundings_of(path.parent).context(path)
    context = configuration_of(path.parent).applied_to(context, path)
    return analyse(document, replace(context, patterns=patterns))
