"""`textDocument/documentLink`: `rule://NAME` leads to the file of that rule."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.file_uri import file_uri
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.structure.rule_links import rule_links
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.convert import lsp_range
from ttsr_ls.lsp.rule_locations import paths_of_rules
from ttsr_ls.lsp.server import Server
from ttsr_ls.text import Span

_MAX_LINKS = 50


async def handle(server: Server, params: types.DocumentLinkParams) -> list[types.DocumentLink]:
    """The links to existing rules."""
    document = server.current.rule_document(params.text_document.uri)
    if document is None:
        return []
    return [
        types.DocumentLink(lsp_range(span, document.index, server.client.encoding), file_uri(path))
        for span, path in await server.run_in_thread(_targets, document, server.current)
    ]


def _targets(document: Document, workspace: Workspace) -> list[tuple[Span, str]]:
    links = rule_links(document.text)[:_MAX_LINKS]
    paths = paths_of_rules({link.name for link in links}, document.path, workspace) if links else {}
    return [(link.span, paths[link.name]) for link in links if link.name in paths]
