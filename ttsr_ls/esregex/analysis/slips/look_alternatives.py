"""Finds lookaheads of which only the first alternative searches ahead in the text, such as `^(?=[\\s\\S]*node|bun)`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from msgspec import Struct

from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    AssertionKind,
    Capture,
    Chars,
    Group,
    Look,
    LookKind,
    Node,
    Pattern,
    Repeat,
    Sequence,
    walk,
)
from ttsr_ls.text import Span

_STARTS = (AssertionKind.INPUT_START, AssertionKind.LINE_START)
_ALL_UNITS = 0x10000
_ALL_OF_A_LINE = _ALL_UNITS - 8
"""`.` matches all units but four."""


class UnanchoredLookAlternatives(Struct, frozen=True):
    """A lookahead's body at `span`. With `replacement`, all its alternatives search ahead.

    `searched` is the first alternative; `fixed` is the second one, which matches at the position of the lookahead only.
    """

    span: Span
    searched: Span
    fixed: Span
    replacement: str


def look_alternatives(pattern: Pattern) -> Iterator[UnanchoredLookAlternatives]:
    """Yields the lookaheads at the start of a text, or next to other lookaheads, whose later alternatives do not search
    ahead.
    """
    for node in walk(pattern.root):
        if isinstance(node, Sequence):
            leading = list(takewhile(_is_leading_assertion, node.items))
            looks = [item for item in leading if isinstance(item, Look)]
            is_anchored = any(isinstance(item, Assertion) and item.kind in _STARTS for item in leading)
            for lookaround in looks:
                alternatives = (
                    _unanchored_alternatives(pattern.source, lookaround)
                    if is_anchored or _is_joint(looks, lookaround)
                    else None
                )
                if alternatives is not None:
                    yield alternatives


def _is_leading_assertion(node: Node) -> bool:
    return isinstance(node, Look) or (isinstance(node, Assertion) and node.kind in _STARTS)


def _is_joint(looks: list[Look], lookaround: Look) -> bool:
    """Returns whether a positive lookahead has to hold together with another one at the same position."""
    return lookaround.kind is LookKind.AHEAD and sum(look.kind is LookKind.AHEAD for look in looks) > 1


def _unanchored_alternatives(source: str, lookaround: Look) -> UnanchoredLookAlternatives | None:
    if lookaround.kind.is_behind or not isinstance(lookaround.body, Alternation):
        return None
    first, *nodes = lookaround.body.branches
    if not isinstance(first, Sequence) or len(first.items) < 2:
        return None
    search = first.items[0]
    # A negative lookahead may be meant so: the line does not contain one text and does not begin with another.
    minimum = _ALL_UNITS if lookaround.kind is LookKind.NOT_AHEAD else _ALL_OF_A_LINE
    if not _is_anything(search, minimum) or not all(_has_fixed_start(branch) for branch in nodes):
        return None
    source_text = source[search.span.start : search.span.end]
    rest = source[search.span.end : lookaround.body.span.end]
    return UnanchoredLookAlternatives(lookaround.body.span, first.span, nodes[0].span, f"{source_text}(?:{rest})")


def _is_anything(node: Node, minimum: int) -> bool:
    if not isinstance(node, Repeat) or node.maximum is not None:
        return False
    return isinstance(node.body, Chars) and node.body.units.size >= minimum


def _has_fixed_start(branch: Node) -> bool:
    """Returns whether an alternative begins with a character, or with a group that does."""
    node = branch
    while not isinstance(node, Chars):
        if isinstance(node, Sequence) and node.items:
            first = node.items[0]
            is_boundary = isinstance(first, Assertion) and first.kind not in _STARTS
            node = node.items[1] if is_boundary and len(node.items) > 1 else first
        elif isinstance(node, Alternation):
            node = node.branches[0]
        elif isinstance(node, Group | Capture):
            node = node.body
        else:
            return False
    return True
