"""Finds word boundaries at an edge of a pattern next to punctuation: `\\b@deprecated`, `foo\\(\\b`.

A boundary next to a character that is no word character demands a word character on its other side. At an edge of the
pattern the author hardly intended that: the text is then not found at the start of a line, after a blank, or at the
end.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.esregex.analysis.edge_sequences import edge_sequences
from ttsr_ls.esregex.parse.escapes import WORD_UNITS
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    AssertionKind,
    Capture,
    Chars,
    Group,
    Node,
    Pattern,
    Repeat,
    Sequence,
)
from ttsr_ls.text import Span

_OPENING = frozenset("@#$-/<.\"'`~%&\\[{!*")
"""Punctuation that begins a name or a text. `:` and `(` follow a word, so a boundary before them may be meant."""
_CLOSING = frozenset("()+!?:;,*%}]>")
"""Punctuation that ends a text. After `=`, `.`, or a quote, a boundary may mean that a word follows."""
_MAX_UNITS = 8
_MAX_DEPTH = 8


class PunctuatedBoundary(Struct, frozen=True):
    r"""A `\b` next to punctuation. `is_before` is true if the boundary precedes the punctuation.

    `neighbour` is the punctuation as the pattern writes it. `is_alternative` is true if only one alternative has it.
    """

    span: Span
    neighbour: str
    is_before: bool
    is_alternative: bool


def punctuated_boundaries(pattern: Pattern) -> Iterator[PunctuatedBoundary]:
    """The word boundaries at the edges of a pattern that have punctuation on the side of the pattern."""
    for sequence in edge_sequences(pattern.root):
        items = sequence.items
        if len(items) < 2:
            continue
        is_framed = len(items) > 2 and _is_boundary(items[0]) and _is_boundary(items[-1])
        if sequence.is_first and _is_boundary(items[0]):
            yield from _beside(pattern.source, items[0], items[1], is_framed, is_before=True)
        if sequence.is_last and _is_boundary(items[-1]):
            yield from _beside(pattern.source, items[-1], items[-2], is_framed, is_before=False)


def _is_boundary(node: Node) -> bool:
    return isinstance(node, Assertion) and node.kind is AssertionKind.WORD_BOUNDARY


def _beside(
    source: str, boundary: Node, neighbour: Node, is_framed: bool, *, is_before: bool
) -> Iterator[PunctuatedBoundary]:
    edges = _edges(neighbour, is_before, _MAX_DEPTH)
    odd = [edge for edge in edges if edge is not None and _is_odd(source, edge, is_framed, is_before)]
    if odd:
        source_text = source[odd[0].span.start : odd[0].span.end]
        yield PunctuatedBoundary(boundary.span, source_text, is_before, len(odd) < len(edges))


def _edges(node: Node, is_before: bool, depth: int) -> list[Chars | None]:
    """Returns the first, or last, characters of each alternative of a node; None for an alternative that is not
    plain."""
    match node:
        case Chars():
            return [node]
        case Sequence(items=(_, *_)) if depth:
            return _edges(node.items[0 if is_before else -1], is_before, depth - 1)
        case Alternation() if depth:
            return [edge for branch in node.branches for edge in _edges(branch, is_before, depth - 1)]
        case Capture() | Group() if depth:
            return _edges(node.body, is_before, depth - 1)
        case Repeat() if depth and node.minimum:
            edges = _edges(node.body, is_before, depth - 1)
            # In another round, another alternative may be at the edge.
            return edges if len(edges) == 1 else [None]
        case _:
            return [None]


def _is_odd(source: str, edge: Chars, is_framed: bool, is_before: bool) -> bool:
    if edge.units & WORD_UNITS or not edge.units or edge.units.size > _MAX_UNITS:
        return False
    characters = [chr(unit) for low, high in edge.units.ranges for unit in range(low, high + 1)]
    if any(char.isspace() or char.isalnum() for char in characters):
        return False
    if not is_before and characters == [":"] and source[: edge.span.start].endswith(":"):
        return False  # `std::\\b` means that a name follows.
    if not is_before and characters == ["/"]:
        return False  # In a path, a name follows.
    usual = _OPENING if is_before else _CLOSING
    return is_framed or all(char in usual or not char.isascii() for char in characters)
