"""`textDocument/semanticTokens/range`: the parts of the patterns that an editor shows."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.lsp.convert import span_of
from ttsr_ls.lsp.methods.semantic_tokens.encoding import encode_tokens
from ttsr_ls.lsp.methods.semantic_tokens.full import tokens_of
from ttsr_ls.lsp.server import Server


async def handle(server: Server, params: types.SemanticTokensRangeParams) -> types.SemanticTokens | None:
    """The tokens that touch the range; None for a file that is no rule."""
    document = server.current.rule_document(params.text_document.uri)
    if document is None:
        return None
    area = span_of(params.range, document, server.client.encoding)
    return types.SemanticTokens(
        encode_tokens(await server.run_in_thread(tokens_of, document, area), document, server.client)
    )
