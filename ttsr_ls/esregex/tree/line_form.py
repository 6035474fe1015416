"""The line form of a pattern: finds in a whole text what the pattern finds in one of its lines.

Lines are separated by line feeds, as in `text.split("\\n")`; other line terminators do not end one.
"""

from __future__ import annotations

from typing import assert_never

from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    AssertionKind,
    Backreference,
    Capture,
    CharForm,
    Chars,
    Group,
    Look,
    Node,
    Pattern,
    Repeat,
    Sequence,
    walk,
)
from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT, UnitSet

_LINE_FEED = 0x0A
_ONLY_LINE_FEED = UnitSet.single(_LINE_FEED)
_OTHERS = EVERY_UNIT - _ONLY_LINE_FEED
_WITHOUT_LINE_FEED = {"\\s": "[^\\S\\n]", "\\D": "[^\\d\\n]", "\\W": "[^\\w\\n]"}

LINE_START = "(?<![^\\n])"
"""Holds at the start of a text and after a line feed."""

LINE_END = "(?![^\\n])"
"""Holds at the end of a text and before a line feed."""


def line_source(pattern: Pattern) -> str:
    """Returns the source, in units, of the line form, to be parsed under the same flags.

    It matches a text exactly when `pattern` matches some line of it: it consumes no line feed, so neither a match nor a
    lookaround leaves the line, and `^` and `$` hold at the line's ends.
    """
    source = pattern.source
    replacements = [
        (node.span.start, node.span.end, text) for node in walk(pattern.root) if (text := _replacement(source, node))
    ]
    for start, end, text in sorted(replacements, reverse=True):
        source = source[:start] + text + source[end:]
    return source


def line_feed_nodes(pattern: Pattern) -> tuple[Chars, ...]:
    """Returns the nodes of a pattern that match only a line feed, which no line contains, in source order."""
    return tuple(node for node in walk(pattern.root) if isinstance(node, Chars) and node.units == _ONLY_LINE_FEED)


def matches_some_line(pattern: Pattern) -> bool:
    """Returns whether the pattern can match within a line. False if all its paths consume a line feed.

    May wrongly return True, because assertions and backreferences are not evaluated.
    """
    return fold_tree(pattern.root, _can_match_within_line)


def _can_match_within_line(node: Node, child_results: tuple[bool, ...]) -> bool:
    match node:
        case Chars():
            return bool(node.units & _OTHERS)
        case Assertion() | Backreference():
            return True
        case Look():
            return node.kind.is_negated or child_results[0]
        case Capture() | Group():
            return child_results[0]
        case Repeat():
            return node.minimum == 0 or child_results[0]
        case Sequence():
            return all(child_results)
        case Alternation():
            return any(child_results)
    assert_never(node)


def _replacement(source: str, node: Node) -> str | None:
    match node:
        case Assertion(kind=AssertionKind.INPUT_START):
            return LINE_START
        case Assertion(kind=AssertionKind.INPUT_END):
            return LINE_END
        case Chars() if _LINE_FEED in node.units:
            return _without_line_feed(source[node.span.start : node.span.end], node)
        case _:
            return None


def _without_line_feed(source: str, node: Chars) -> str:
    rest = node.units & _OTHERS
    if not rest:
        return "[]"
    if rest == _OTHERS:
        return "[^\\n]"
    if node.form is CharForm.CLASS_ESCAPE and source in _WITHOUT_LINE_FEED:
        return _WITHOUT_LINE_FEED[source]
    if node.form is CharForm.CLASS and node.negated and not source.startswith("[^-"):
        # Right after `[^`, where it cannot become the end of a range.
        return f"[^\\n{source[2:]}"
    return f"(?:(?!\\n){source})"
