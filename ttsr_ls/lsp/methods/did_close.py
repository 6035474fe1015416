"""`textDocument/didClose`: a document was closed, and the text on the disk is valid again."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.lsp import publishing
from ttsr_ls.lsp.server import Server


def handle(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    """Forgets the document."""
    uri = params.text_document.uri
    document = server.current.documents.get(uri)
    server.current = server.current.without_document(uri)
    server.analyses.forget(uri)
    server.pulled.discard(uri)
    server.reported_empty.discard(uri)
    server.match_counts.forget(uri)
    server.match_counts.files_changed()
    publishing.document_closed(server, uri)
    if document is not None:
        publishing.cases_changed(server, document)
