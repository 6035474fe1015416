"""Encodes semantic tokens: five numbers each, with positions relative to the previous token."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.semantic_tokens.token_kind import SemanticToken
from ttsr_ls.lsp.client import Client
from ttsr_ls.text import Position, Span


def encode_tokens(tokens: Iterable[SemanticToken], document: Document, client: Client) -> list[int]:
    """Encodes tokens in order of the text. Tokens of types that the client does not know are omitted.

    A token is split at line ends, because not every client accepts multi-line tokens.
    """
    types = {name: number for number, name in enumerate(client.token_types)}
    index, encoding = document.index, client.encoding
    before = Position(0, 0)
    data: list[int] = []
    for token in tokens:
        kind = types.get(token.kind)
        for span in _lines(token.span, document) if kind is not None else ():
            start, end = index.position(span.start, encoding), index.position(span.end, encoding)
            line = start.line - before.line
            data += (line, start.character - (0 if line else before.character), end.character - start.character)
            data += (kind or 0, 0)
            before = start
    return data


def _lines(span: Span, document: Document) -> Iterator[Span]:
    """The parts of a span on each line, without the indentation of those after the first."""
    index = document.index
    first, last = index.position(span.start).line, index.position(span.end).line
    for line in range(first, last + 1):
        of_line = index.line_span(line)
        start, end = max(span.start, of_line.start), min(span.end, of_line.end)
        if line > first:
            text = document.text[start:end]
            start += len(text) - len(text.lstrip())
        if start < end:
            yield Span(start, end)
