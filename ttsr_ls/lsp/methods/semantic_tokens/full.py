"""`textDocument/semanticTokens/full`: the parts of all patterns of a rule file."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.ide.analysis import read_document
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.semantic_tokens.rule_tokens import rule_tokens
from ttsr_ls.ide.semantic_tokens.token_kind import SemanticToken
from ttsr_ls.lsp.methods.semantic_tokens.encoding import encode_tokens
from ttsr_ls.lsp.server import Server
from ttsr_ls.text import Span


async def handle(server: Server, params: types.SemanticTokensParams) -> types.SemanticTokens | None:
    """All tokens; None for a file other than a rule, which the editor colours itself."""
    document = server.current.rule_document(params.text_document.uri)
    if document is None:
        return None
    return types.SemanticTokens(
        encode_tokens(await server.run_in_thread(tokens_of, document, None), document, server.client)
    )


def tokens_of(document: Document, area: Span | None) -> tuple[SemanticToken, ...]:
    """The tokens of a document that touch `area`."""
    return rule_tokens(read_document(document), area)
