"""`textDocument/didChange`: a new version of an open document. The whole text comes each time (Full sync)."""

from __future__ import annotations

import logging

from lsprotocol import types

from ttsr_ls.ide.documents import Document
from ttsr_ls.lsp import publishing
from ttsr_ls.lsp.server import Server

logger = logging.getLogger(__name__)


def handle(server: Server, params: types.DidChangeTextDocumentParams) -> None:
    """Replaces the document by its new version."""
    uri = params.text_document.uri
    known = server.current.documents.get(uri)
    if known is None:
        logger.warning("a change of a document that is not open: %s", uri)
        return
    text = known.text
    for change in params.content_changes:
        if isinstance(change, types.TextDocumentContentChangePartial):
            logger.warning("an incremental change, although full changes were agreed on: %s", uri)
            return
        text = change.text
    document = Document.of(uri, known.path, params.text_document.version, text)
    server.current = server.current.with_document(document)
    server.analyses.prefer(uri)
    publishing.document_changed(server, uri)
