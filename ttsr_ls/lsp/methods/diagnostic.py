"""`textDocument/diagnostic`: the findings of a document that the client pulls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from ttsr_ls.lsp.analysis.checked_files import newest_file_analysis
from ttsr_ls.lsp.server import Server

if TYPE_CHECKING:
    from ttsr_ls.ide.analysis import Analysis
    from ttsr_ls.lsp.analysis.file_analysis import FileAnalysis


async def handle(server: Server, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    """The findings of the newest version, or that they did not change since the client's last report."""
    uri = params.text_document.uri
    if uri in server.current.documents:
        server.pulled.add(uri)
    analysis: Analysis | FileAnalysis | None = await newest_file_analysis(server, uri)
    if analysis is None:
        analysis = await server.analyses.newest(uri)
    if analysis is None:
        return types.RelatedFullDocumentDiagnosticReport(items=[])
    identity = server.prepared.identity(analysis)
    if params.previous_result_id == identity:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=identity)
    return types.RelatedFullDocumentDiagnosticReport(items=server.prepared.diagnostics(analysis), result_id=identity)
