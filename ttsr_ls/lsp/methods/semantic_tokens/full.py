"""`textDocument/semanticTokens/full`: the parts of all patterns of a rule file."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.ide.analysis import read_document
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.semantic_tokens.rule_tokens import rule_tokens
from ttsr_ls.lsp.client import Client
from ttsr_ls.lsp.methods.semantic_tokens.encoding import encode_tokens
from ttsr_ls.lsp.server import Server
from ttsr_ls.text import Span


async def handle(server: Server, params: types.SemanticTokensParams) -> types.SemanticTokens | None:
    """All tokens; None for a file other than a rule, which the editor colours itself."""
    document = server.current.rule_document(params.text_document.uri)
    if document is None:
        return None
    return types.SemanticTokens(await server.run_in_thread(encoded_tokens, document, None, server.client))


def encoded_tokens(document: Document, area: Span | None, client: Client) -> list[int]:
    """The tokens of a document that touch `area`. Runs in a thread: a long document takes tenths of a second."""
    return encode_tokens(rule_tokens(read_document(document), area), document, client)
