"""`textDocument/diagnostic`: the findings of a document, asked for by the client."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.lsp.convert import diagnostic
from ttsr_ls.lsp.server import Server

METHOD = types.TEXT_DOCUMENT_DIAGNOSTIC
# A finding may depend on other files (names that shadow each other); reports of the whole workspace are `check`'s work.
OPTIONS = types.DiagnosticOptions(identifier="ttsr", inter_file_dependencies=True, workspace_diagnostics=False)


async def handle(server: Server, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    """The findings of the newest version, or word that nothing changed since the report that the client has."""
    analysis = await server.analyses.newest(params.text_document.uri)
    if analysis is None:
        return types.RelatedFullDocumentDiagnosticReport(items=[])
    if params.previous_result_id == analysis.identity:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=analysis.identity)
    items = [diagnostic(finding, analysis.document, server.client) for finding in analysis.findings]
    return types.RelatedFullDocumentDiagnosticReport(items=items, result_id=analysis.identity)
