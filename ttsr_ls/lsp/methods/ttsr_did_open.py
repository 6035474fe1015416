"""`ttsr/didOpen`: a file is open in the editor without being one of the server's documents.

For clients that cannot register for documents of every language at run time (Neovim): triggers are marked on files that
an agent writes while they are open. The text is read from the disk when it is needed, unless the client sends it; the
client may send it again after each change.
"""

from __future__ import annotations

from typing import Any

from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.rule_detection import is_rule_document
from ttsr_ls.lsp import publishing
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.uris import is_file, path_of


def handle(server: Server, params: Any) -> None:
    """Stores an open file. `params` is `{uri}`, or `{uri, text, version}` if its text differs from the disk."""
    uri = params.get("uri") if isinstance(params, dict) else None
    if not isinstance(uri, str) or not is_file(uri):
        return
    if uri in server.current.documents and uri not in server.announced_open:
        return
    document = _document(uri, params.get("text"), params.get("version"))
    # Rule files must be opened by `textDocument/didOpen`: their findings have to be those of the text in the editor.
    if not is_rule_document(document, server.current.rule_folders):
        server.announced_open.add(uri)
        known_document = server.current.documents.get(uri)
        server.current = server.current.with_document(document)
        if document.version is not None or (known_document is not None and known_document.version is not None):
            server.match_counts.files_changed()
        publishing.document_changed(server, uri)


def _document(uri: str, text: object, version: object) -> Document:
    if isinstance(text, str) and isinstance(version, int):
        return Document.of(uri, path_of(uri), version, text)
    return Document.of(uri, path_of(uri), None, "")
