"""`textDocument/rename`: a new name for a rule, in its files and wherever it is named."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.lsp.rule_names.named_rules import mentions_of, named_rule, warn_of_unsearched_files
from ttsr_ls.lsp.rule_names.renaming import name_to_change, planned_renames, renaming_edit
from ttsr_ls.lsp.server import Server


async def handle(server: Server, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """The edit; None if no rule is named. Raises `JsonRpcException` with the reason if the rule cannot be renamed."""
    named = await named_rule(server, params)
    if named is None:
        return None
    rule = named.rule
    name_to_change(rule, server.client)
    renames = await server.run_in_thread(planned_renames, rule, params.new_name, server.current)
    mentions = await mentions_of(server, rule)
    warn_of_unsearched_files(server, rule, mentions)
    server.requested_renames.remember(renames)
    return await server.run_in_thread(
        renaming_edit, rule, renames, mentions.files, server.current, server.client.encoding
    )
