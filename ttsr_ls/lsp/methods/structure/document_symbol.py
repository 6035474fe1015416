"""`textDocument/documentSymbol`: the outline of a rule file."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.escaping import one_line
from ttsr_ls.ide.analysis import read_document
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.structure.symbols import RuleSymbol, RuleSymbolKind, document_symbols
from ttsr_ls.lsp.convert import lsp_range
from ttsr_ls.lsp.server import Server

_KINDS = {
    RuleSymbolKind.KEY: types.SymbolKind.Property,
    RuleSymbolKind.ITEM: types.SymbolKind.String,
    RuleSymbolKind.BODY: types.SymbolKind.Module,
    RuleSymbolKind.HEADING: types.SymbolKind.String,
}


async def handle(server: Server, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    """The keys with their items, and the body with its headings."""
    document = server.current.rule_document(params.text_document.uri)
    if document is None:
        return []
    found = await server.run_in_thread(_symbols, document)
    return [_symbol(server, document, symbol) for symbol in found]


def _symbols(document: Document) -> tuple[RuleSymbol, ...]:
    return document_symbols(read_document(document))


def _symbol(server: Server, document: Document, symbol: RuleSymbol) -> types.DocumentSymbol:
    encoding = server.client.encoding
    return types.DocumentSymbol(
        name=one_line(symbol.name),
        detail=one_line(symbol.detail) or None,
        kind=_KINDS[symbol.kind],
        range=lsp_range(symbol.span, document.index, encoding),
        selection_range=lsp_range(symbol.name_span, document.index, encoding),
        children=[_symbol(server, document, child) for child in symbol.children] or None,
    )
