"""The diagnostics of rule documents with very many findings, converted by the thread that analysed them.

To convert a thousand findings on the loop takes more than ten milliseconds, for which a hover would wait.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec import Struct

from ttsr_ls.checkpoint import with_checkpoints
from ttsr_ls.lsp.client import Client

if TYPE_CHECKING:
    from ttsr_ls.ide.analysis import Analysis
    from ttsr_ls.lsp.analysis.file_analysis import FileAnalysis

_FEW = 50
"""So many findings are converted on the loop when they are sent."""


class _Prepared(Struct, frozen=True, eq=False):
    analysis: Analysis
    diagnostics: tuple[types.Diagnostic, ...]
    identity: str


class PreparedDiagnostics:
    """The prepared diagnostics, by document. Used in all threads. What is not prepared is converted when it is sent."""

    def __init__(self, client: Callable[[], Client]) -> None:
        self._client = client
        self._prepared: dict[str, _Prepared] = {}

    def prepare(self, analysis: Analysis) -> None:
        """Converts the findings of an analysis if there are many. For the thread of the analysis."""
        uri = analysis.document.uri
        if len(analysis.findings) <= _FEW:
            self.forget(uri)
            return
        items = tuple(self._converted(analysis))
        self._prepared[uri] = _Prepared(analysis, items, analysis.identity)

    def diagnostics(self, analysis: Analysis | FileAnalysis) -> list[types.Diagnostic]:
        """Returns the diagnostics that show the findings of an analysis."""
        prepared = self._prepared_for(analysis)
        return list(self._converted(analysis) if prepared is None else prepared.diagnostics)

    def identity(self, analysis: Analysis | FileAnalysis) -> str:
        """Returns the result id of the diagnostics of an analysis."""
        prepared = self._prepared_for(analysis)
        return analysis.identity if prepared is None else prepared.identity

    def forget(self, uri: str) -> None:
        """Forgets the diagnostics of a document."""
        self._prepared.pop(uri, None)

    def _prepared_for(self, analysis: Analysis | FileAnalysis) -> _Prepared | None:
        prepared = self._prepared.get(analysis.document.uri)
        return prepared if prepared is not None and prepared.analysis is analysis else None

    def _converted(self, analysis: Analysis | FileAnalysis) -> list[types.Diagnostic]:
        # Imported lazily: the answer to `initialize` must not wait for the catalogue.
        from ttsr_ls.lsp.convert import diagnostic

        client = self._client()
        return [diagnostic(finding, analysis.document, client) for finding in with_checkpoints(analysis.findings)]
