"""`textDocument/completion`: keys, and values of keys that have few."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.ide.analysis import read_document
from ttsr_ls.ide.completion import Completion, CompletionKind, complete
from ttsr_ls.ide.documents import Document
from ttsr_ls.lsp.convert import lsp_range, markup, offset_of
from ttsr_ls.lsp.server import Server

_KINDS = {
    CompletionKind.KEY: types.CompletionItemKind.Property,
    CompletionKind.VALUE: types.CompletionItemKind.EnumMember,
}


async def handle(server: Server, params: types.CompletionParams) -> list[types.CompletionItem]:
    """Answers `textDocument/completion`."""
    document = server.current.rule_document(params.text_document.uri)
    if document is None:
        return []
    server.analyses.prefer(document.uri)
    offset = offset_of(params.position, document, server.client.encoding)
    found = await server.off_loop(_complete, document, offset)
    return [_item(server, document, completion) for completion in found]


def _complete(document: Document, offset: int) -> tuple[Completion, ...]:
    return complete(read_document(document), document.index, offset)


def _item(server: Server, document: Document, completion: Completion) -> types.CompletionItem:
    return types.CompletionItem(
        label=completion.label,
        kind=_KINDS[completion.kind],
        documentation=markup(completion.documentation, shows_markdown=server.client.completes_with_markdown),
        text_edit=types.TextEdit(lsp_range(completion.span, document.index, server.client.encoding), completion.text),
    )
