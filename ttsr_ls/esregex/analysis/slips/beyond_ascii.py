"""Finds where non-ASCII characters behave unexpectedly: at word boundaries, and as emoji in classes and before
quantifiers.

Without the flag `u`, `\\b` knows the word characters of ASCII only, and a character beyond U+FFFF is two units.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from ttsr_ls.esregex.parse.escapes import WORD_UNITS
from ttsr_ls.esregex.tree.nodes import (
    Assertion,
    AssertionKind,
    Capture,
    CharForm,
    Chars,
    Group,
    Node,
    Pattern,
    Repeat,
    Sequence,
    walk,
)
from ttsr_ls.text import Span

_MAX_RANGES = 8
"""A set of letters of one script has few ranges. A set with more is a class such as `\\W`."""


class NonAsciiBoundary(Struct, frozen=True):
    r"""A `\b` next to a letter that `\b` does not treat as a word character. `before` is true if the boundary precedes
    the letter.
    """

    span: Span
    letter: str
    before: bool


class SplitClass(Struct, frozen=True):
    """A class that contains characters of two units. `members` are its characters, None if it has other members too."""

    span: Span
    character: str
    members: tuple[str, ...] | None


class SplitRepeat(Struct, frozen=True):
    """A quantifier that applies to the second unit of a character only. `span` includes the character."""

    span: Span
    character: str
    quantifier: str


def non_ascii_boundaries(pattern: Pattern) -> Iterator[NonAsciiBoundary]:
    """Yields the word boundaries of a pattern next to a non-ASCII letter."""
    for node in walk(pattern.root):
        if not isinstance(node, Sequence):
            continue
        for index, item in enumerate(node.items):
            if not isinstance(item, Assertion) or item.kind is not AssertionKind.WORD_BOUNDARY:
                continue
            following = _foreign_letter(node.items[index + 1], first=True) if index + 1 < len(node.items) else None
            preceding = _foreign_letter(node.items[index - 1], first=False) if index else None
            if following is not None:
                yield NonAsciiBoundary(item.span, following, before=True)
            elif preceding is not None:
                yield NonAsciiBoundary(item.span, preceding, before=False)


def split_classes(pattern: Pattern) -> Iterator[SplitClass]:
    """Yields the classes of a pattern that contain characters of two units."""
    for node in walk(pattern.root):
        if isinstance(node, Chars) and node.form is CharForm.CLASS:
            source = pattern.source[node.span.start : node.span.end]
            text = source.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
            wide = [char for char in text if ord(char) > 0xFFFF]
            if wide:
                is_plain = not node.negated and "\\" not in source and not any(item.is_range for item in node.items)
                yield SplitClass(node.span, wide[0], tuple(dict.fromkeys(text[1:-1])) if is_plain else None)


def split_repeats(pattern: Pattern) -> Iterator[SplitRepeat]:
    """Yields the quantifiers of a pattern that apply to the second unit of a character of two units."""
    for node in walk(pattern.root):
        if not isinstance(node, Sequence):
            continue
        for first, second in pairwise(node.items):
            if not isinstance(second, Repeat) or not (_is_literal(first) and _is_literal(second.body)):
                continue
            source = pattern.source[first.span.start : second.body.span.end]
            character = source.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
            if len(character) == 1 and ord(character) > 0xFFFF:
                quantifier = pattern.source[second.body.span.end : second.span.end]
                yield SplitRepeat(Span(first.span.start, second.span.end), character, quantifier)


def _is_literal(node: Node) -> bool:
    return isinstance(node, Chars) and node.form is CharForm.LITERAL


def _foreign_letter(node: Node, *, first: bool) -> str | None:
    """Returns a non-ASCII letter with which matches of a node begin, or end; None if it is unknown."""
    while True:
        match node:
            case Chars():
                return _letter_of(node)
            case Group() | Capture():
                node = node.body
            case Repeat() if node.minimum:
                node = node.body
            case Sequence() if node.items:
                node = node.items[0 if first else -1]
            case _:
                return None


def _letter_of(node: Chars) -> str | None:
    ranges = node.units.ranges
    if not ranges or len(ranges) > _MAX_RANGES or node.units - WORD_UNITS != node.units:
        return None
    ends = [chr(unit) for units in ranges for unit in units]
    return ends[0] if all(char.isalpha() and not char.isascii() for char in ends) else None
