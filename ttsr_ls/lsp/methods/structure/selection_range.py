"""`textDocument/selectionRange`: the selection ranges of a rule file."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.ide.analysis import read_document
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.structure.selections import selection_ranges
from ttsr_ls.lsp.convert import lsp_range, offset_of
from ttsr_ls.lsp.server import Server
from ttsr_ls.text import Span

_MAX_POSITIONS = 100
"""An editor asks for each of its cursors."""


async def handle(server: Server, params: types.SelectionRangeParams) -> list[types.SelectionRange] | None:
    """A chain of ranges for each position; None for a file that is no rule."""
    document = server.current.rule_document(params.text_document.uri)
    if document is None:
        return None
    offsets = [offset_of(position, document, server.client.encoding) for position in params.positions[:_MAX_POSITIONS]]
    chains = await server.run_in_thread(_chains, document, offsets)
    return [_nested(server, document, chain) for chain in chains]


def _chains(document: Document, offsets: list[int]) -> list[tuple[Span, ...]]:
    file = read_document(document)
    return [selection_ranges(file, offset) for offset in offsets]


def _nested(server: Server, document: Document, chain: tuple[Span, ...]) -> types.SelectionRange:
    nested: types.SelectionRange | None = None
    for span in reversed(chain):
        nested = types.SelectionRange(lsp_range(span, document.index, server.client.encoding), nested)
    assert nested is not None, "the last span is the whole file"
    return nested
