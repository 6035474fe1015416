"""`textDocument/semanticTokens/range`: the parts of the patterns that an editor shows."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.lsp.convert import span_of
from ttsr_ls.lsp.methods.semantic_tokens.full import encoded_tokens
from ttsr_ls.lsp.server import Server


async def handle(server: Server, params: types.SemanticTokensRangeParams) -> types.SemanticTokens | None:
    """The tokens that touch the range; None for a file other than a rule."""
    document = server.current.rule_document(params.text_document.uri)
    if document is None:
        return None
    area = span_of(params.range, document, server.client.encoding)
    return types.SemanticTokens(await server.run_in_thread(encoded_tokens, document, area, server.client))
