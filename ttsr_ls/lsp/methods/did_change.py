"""`textDocument/didChange`: a new version of an open document.

Rule files are sent as a whole (full sync). Other files, on which triggers are marked, are synchronized incrementally:
editing files of other languages should cost little.

VS Code sends changes of rule files in both ways, because both registrations match. The whole text may be newer than
pending incremental changes: VS Code sends version 3 as a whole, then the changes that led to versions 2 and 3. So an
incremental change to a version that is not newer than the known one is already included.
"""

from __future__ import annotations

import logging

from lsprotocol import types

from ttsr_ls.ide.documents import Document
from ttsr_ls.lsp import publishing
from ttsr_ls.lsp.convert import span_of
from ttsr_ls.lsp.runs import trigger_view
from ttsr_ls.lsp.server import Server

logger = logging.getLogger(__name__)


def handle(server: Server, params: types.DidChangeTextDocumentParams) -> None:
    """Replaces the document by its new version."""
    uri = params.text_document.uri
    known_document = server.current.documents.get(uri)
    if known_document is None:
        logger.warning("a change of a document that is not open: %s", uri)
        return
    version = params.text_document.version
    document = known_document
    is_included = known_document.version is not None and version <= known_document.version
    for change in params.content_changes:
        if isinstance(change, types.TextDocumentContentChangeWholeDocument):
            document = Document.of(uri, known_document.path, version, change.text)
            is_included = False
        elif not is_included:
            document = _edited(document, change, version, server)
    if document is known_document:
        return
    server.current = server.current.with_document(document)
    server.analyses.document_changed(uri)
    if server.current.rule_document(uri) is None:
        server.match_counts.files_changed()
    publishing.document_changed(server, uri)
    publishing.cases_changed(server, document)
    for rule in trigger_view.rules_of_target(server, uri):
        publishing.document_changed(server, rule)


def _edited(
    document: Document, change: types.TextDocumentContentChangePartial, version: int, server: Server
) -> Document:
    span = span_of(change.range, document, server.client.encoding)
    text = f"{document.text[: span.start]}{change.text}{document.text[span.end :]}"
    return Document.of(document.uri, document.path, version, text)
