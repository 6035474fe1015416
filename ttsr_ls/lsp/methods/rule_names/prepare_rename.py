"""`textDocument/prepareRename`: whether there is a rule to rename at a position."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.lsp.convert import lsp_range, offset_of
from ttsr_ls.lsp.rule_names.named_rules import named_rule
from ttsr_ls.lsp.rule_names.renaming import name_to_change
from ttsr_ls.lsp.server import Server


async def handle(server: Server, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    """The place of the name, and the name; None where no rule is named. Raises `JsonRpcException`: why it stays."""
    document = server.current.documents.get(params.text_document.uri)
    if document is None or document.version is None:
        return None
    offset = offset_of(params.position, document, server.client.encoding)
    found = await server.run_in_thread(named_rule, document, offset, server.current)
    if found is None:
        return None
    rule_at_offset, rule = found
    return types.PrepareRenamePlaceholder(
        lsp_range(rule_at_offset.span, document.index, server.client.encoding), name_to_change(rule, server.client)
    )
