"""`textDocument/diagnostic`: the findings of a document, asked for by the client."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.lsp.convert import diagnostic
from ttsr_ls.lsp.server import Server


async def handle(server: Server, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    """The findings of the newest version, or word that nothing changed since the report that the client has."""
    analysis = await server.analyses.newest(params.text_document.uri)
    if analysis is None:
        return types.RelatedFullDocumentDiagnosticReport(items=[])
    if params.previous_result_id == analysis.identity:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=analysis.identity)
    items = [diagnostic(finding, analysis.document, server.client) for finding in analysis.findings]
    return types.RelatedFullDocumentDiagnosticReport(items=items, result_id=analysis.identity)
