"""`ttsr/didClose`: the opposite of `ttsr/didOpen`."""

from __future__ import annotations

from typing import Any

from ttsr_ls.lsp import publishing
from ttsr_ls.lsp.server import Server


def handle(server: Server, params: Any) -> None:
    """Forgets an open file. `params` is `{uri}`."""
    uri = params.get("uri") if isinstance(params, dict) else None
    if isinstance(uri, str) and uri in server.announced_open:
        server.announced_open.discard(uri)
        document = server.current.documents.get(uri)
        server.current = server.current.without_document(uri)
        if document is not None and document.version is not None:
            server.match_counts.files_changed()
        publishing.document_closed(server, uri)
