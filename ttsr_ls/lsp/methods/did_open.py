"""`textDocument/didOpen`: a document was opened, and the client sends its text."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.ide.documents import Document
from ttsr_ls.lsp import publishing
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.uris import path_of


def handle(server: Server, params: types.DidOpenTextDocumentParams) -> None:
    """Adds the document to the workspace."""
    opened = params.text_document
    server.announced_open.discard(opened.uri)
    document = Document.of(opened.uri, path_of(opened.uri), opened.version, opened.text)
    server.current = server.current.with_document(document)
    server.analyses.prefer(opened.uri)
    publishing.document_changed(server, opened.uri)
    publishing.cases_changed(server, document)
