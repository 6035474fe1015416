"""`textDocument/definition`: the file of the rule that `rule://NAME` names."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.ide.structure.rule_links import rule_links
from ttsr_ls.lsp.convert import offset_of
from ttsr_ls.lsp.rule_locations import path_of_rule
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.uris import uri_of


async def handle(server: Server, params: types.DefinitionParams) -> types.Location | None:
    """The start of the file; None where no rule is named."""
    document = server.current.rule_document(params.text_document.uri)
    if document is None:
        return None
    offset = offset_of(params.position, document, server.client.encoding)
    link = next((link for link in rule_links(document.text) if link.span.contains(offset)), None)
    path = None if link is None else await server.off_loop(path_of_rule, link.name, document.path, server.current)
    start = types.Position(0, 0)
    return None if path is None else types.Location(uri_of(path), types.Range(start, start))
