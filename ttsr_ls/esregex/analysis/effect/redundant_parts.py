"""Finds the parts of a pattern whose removal does not change which texts the pattern matches."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from msgspec import Struct

from ttsr_ls.esregex.tree.nodes import Assertion, Backreference, Chars, Pattern, Repeat, Sequence, walk
from ttsr_ls.text import Span

_WIDE = 0xFF00
"""A set of at least this many units is meant as "any character"."""


class RedundantPartKind(Enum):
    """The kinds of parts without an effect."""

    QUANTIFIER = "quantifier"
    ASSERTION = "assertion"


class RedundantPart(Struct, frozen=True, gc=False):
    """A part without an effect, and the span to remove. `reason` completes "has no effect: …"."""

    kind: RedundantPartKind
    span: Span
    removed: Span
    reason: str


def redundant_parts(pattern: Pattern) -> Iterator[RedundantPart]:
    """Yields the quantifiers and assertions of a pattern without an effect, in source order."""
    has_references = any(isinstance(node, Backreference) for node in walk(pattern.root))
    for node in walk(pattern.root):
        if isinstance(node, Repeat):
            span = Span(node.body.span.end, node.span.end)
            if node.minimum == 1 == node.maximum:
                yield RedundantPart(RedundantPartKind.QUANTIFIER, span, span, "once is the default")
            elif node.maximum == 0:
                if has_references and node.first_capture != node.end_capture:
                    continue  # Without its captures, later groups would have other numbers.
                yield RedundantPart(
                    RedundantPartKind.QUANTIFIER, node.span, node.span, "zero repetitions match nothing"
                )
            elif node.lazy and node.minimum == node.maximum:
                mark = Span(span.end - 1, span.end)
                yield RedundantPart(
                    RedundantPartKind.QUANTIFIER, mark, mark, "the count is fixed, so lazy and greedy are the same"
                )
        elif isinstance(node, Sequence):
            for left, right in zip(node.items, node.items[1:], strict=False):
                if isinstance(left, Assertion) and isinstance(right, Assertion) and left.kind is right.kind:
                    yield RedundantPart(
                        RedundantPartKind.ASSERTION, right.span, right.span, "the assertion before it requires the same"
                    )


def leading_repeat_of_any(pattern: Pattern) -> Span | None:
    """Returns the span of a repeat of any character at the start of a pattern, else None. Such a repeat has no effect,
    because a search finds the rest of the pattern anywhere.
    """
    node = pattern.root
    while True:
        match node:
            case Sequence(items=(first, _, *_)):
                node = first
            case Repeat(minimum=0, maximum=None, body=Chars() as body) if body.units.size >= _WIDE:
                break
            case _:
                return None
    if any(isinstance(other, Backreference) for other in walk(pattern.root)):
        return None
    return node.span
