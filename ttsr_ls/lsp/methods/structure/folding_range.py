"""`textDocument/foldingRange`: the foldable ranges of a rule file."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.ide.analysis import read_document
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.structure.folds import FoldingRange, folding_ranges
from ttsr_ls.lsp.server import Server


async def handle(server: Server, params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
    """The folds; None for a file that is no rule, which the editor folds itself."""
    document = server.current.rule_document(params.text_document.uri)
    if document is None:
        return None
    return [types.FoldingRange(fold.first, fold.last) for fold in await server.run_in_thread(_folds, document)]


def _folds(document: Document) -> tuple[FoldingRange, ...]:
    return folding_ranges(read_document(document), document.index)
