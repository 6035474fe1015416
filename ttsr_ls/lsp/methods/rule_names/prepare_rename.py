"""`textDocument/prepareRename`: whether there is a rule to rename at a position."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.lsp.convert import lsp_range
from ttsr_ls.lsp.rule_names.named_rules import named_rule
from ttsr_ls.lsp.rule_names.renaming import name_to_change
from ttsr_ls.lsp.server import Server


async def handle(server: Server, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    """The range of the name, and the name; None if no rule is named. Raises `JsonRpcException` if it is fixed."""
    named = await named_rule(server, params)
    if named is None:
        return None
    name_range = lsp_range(named.mention.span, named.document.index, server.client.encoding)
    return types.PrepareRenamePlaceholder(name_range, name_to_change(named.rule, server.client))
