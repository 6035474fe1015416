"""`textDocument/references`: the places that name a rule."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.file_uri import file_uri
from ttsr_ls.lsp.convert import lsp_range
from ttsr_ls.lsp.rule_names.named_rules import mentions_of, named_rule
from ttsr_ls.lsp.server import Server


async def handle(server: Server, params: types.ReferenceParams) -> list[types.Location] | None:
    """The mentions of the rule at a position; None if no rule is named.

    Its files, including shadowed ones, are its declarations; its test files are mentions.
    """
    named = await named_rule(server, params)
    if named is None:
        return None
    rule = named.rule
    start = types.Range(types.Position(0, 0), types.Position(0, 0))
    files = (*(rule.paths if params.context.include_declaration else ()), *rule.tests)
    mentions = await mentions_of(server, rule)
    return [
        *(types.Location(file_uri(path), start) for path in files),
        *(
            types.Location(file.document.uri, lsp_range(span, file.document.index, server.client.encoding))
            for file in mentions.files
            for span in file.spans
        ),
    ]
