"""Translates a tree to source for the PyPI package `regex`, if an exact translation exists.

The source means the same in both versions of the package's language: groups, lookarounds, counts, and units as
`\\uXXXX`. Case, `.`, `^`, `$` and classes are resolved to unit sets beforehand, so that none of the package's Unicode
rules apply; `\\b` and case-insensitive backreferences rely on its ASCII flag. Captures are named `gN` after their
index.
"""

from __future__ import annotations

from typing import assert_never

from msgspec import Struct

from ttsr_ls.esregex.match.empty_rounds import NotRewritableError, without_empty_rounds
from ttsr_ls.esregex.program.class_source import NEVER, class_source
from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    AssertionKind,
    Backreference,
    Capture,
    Chars,
    Group,
    Look,
    LookKind,
    Node,
    Pattern,
    Repeat,
    Sequence,
    children,
)
from ttsr_ls.esregex.tree.references import ReadableReference, ReferenceReading, UnreadableReference, read_references
from ttsr_ls.esregex.tree.widths import least_width

_MAX_DEPTH = 40
"""`regex` parses and compiles recursively, with up to ten frames per level, and its caller may be deep in the stack."""
_MAX_REPEATS = 10
"""How many repeats may be nested in each other: the time in which `regex` compiles them grows exponentially."""
_MAX_SIZE = 10_000
"""How many nodes a pattern for `regex` may have: it does not compile in linear time."""
_MAX_LEAST_WIDTH = 2_000
"""How long the shortest match may be: `regex` writes out the text that a match must contain, with all repeats."""
_MAX_COUNT = 60_000
_FEW_RANGES = 8
_MAX_RANGES = 500
"""How many ranges all classes with more than `_FEW_RANGES` may have together: `regex` checks them one by one."""

_ASSERTIONS = {
    AssertionKind.INPUT_START: r"\A",
    AssertionKind.INPUT_END: r"\Z",
    AssertionKind.LINE_START: r"(?<![^\n\r\u2028\u2029])",
    AssertionKind.LINE_END: r"(?![^\n\r\u2028\u2029])",
    AssertionKind.WORD_BOUNDARY: r"\b",
    AssertionKind.NOT_WORD_BOUNDARY: r"\B",
}
_LOOKS = {LookKind.AHEAD: "(?=", LookKind.NOT_AHEAD: "(?!", LookKind.BEHIND: "(?<=", LookKind.NOT_BEHIND: "(?<!"}


class RegexTranslation(Struct, frozen=True):
    """Source for `regex` that matches exactly as the ECMAScript pattern does, under the flags V1, ASCII and DOTALL."""

    source: str


class InexactPattern(Struct, frozen=True):
    """A pattern without an exact translation, or with one that is too large. `reason` completes "because …"."""

    reason: str


def translate_simple(pattern: Pattern) -> RegexTranslation | InexactPattern:
    """Translates a pattern that `simplify` returned to the syntax of `regex`, or returns why that is impossible. Takes
    linear time.
    """
    limit = _exceeded_limit(pattern.root)
    if limit is not None:
        return limit
    try:
        root = without_empty_rounds(pattern.root)
    except NotRewritableError:
        return InexactPattern("a loop with empty rounds cannot be rewritten")
    limit = _exceeded_limit(root)
    if limit is not None:
        return limit
    readings = read_references(root)
    for reference in readings.values():
        if isinstance(reference, UnreadableReference):
            return InexactPattern(f"of a backreference: {reference.reason}")
    return RegexTranslation(fold_tree(root, lambda node, child_results: _source(node, child_results, readings)))


def _exceeded_limit(root: Node) -> InexactPattern | None:
    """Returns which limit of `regex` a tree exceeds; None if it exceeds none."""
    size = ranges = 0
    pending = [(root, 0, 0)]
    while pending:
        node, depth, repeats = pending.pop()
        size += 1
        repeats += isinstance(node, Repeat)
        if depth > _MAX_DEPTH or repeats > _MAX_REPEATS:
            return InexactPattern("it is nested too deep")
        if size > _MAX_SIZE:
            return InexactPattern("it is too large")
        if isinstance(node, Chars) and len(node.units.ranges) > _FEW_RANGES:
            ranges += len(node.units.ranges)
            if ranges > _MAX_RANGES:
                return InexactPattern("its classes have too many ranges")
        if isinstance(node, Repeat) and max(node.minimum, node.maximum or 0) > _MAX_COUNT:
            return InexactPattern("it counts too far")
        pending.extend((child, depth + 1, repeats) for child in children(node))
    if fold_tree(root, least_width) > _MAX_LEAST_WIDTH:
        return InexactPattern("its matches are too long")
    return None


def _source(node: Node, child_results: tuple[str, ...], readings: dict[int, ReferenceReading]) -> str:
    match node:
        case Chars():
            return class_source(node.units)
        case Assertion():
            return _ASSERTIONS[node.kind]
        case Look():
            return f"{_LOOKS[node.kind]}{child_results[0]})"
        case Capture():
            return f"(?P<g{node.index}>{child_results[0]})"
        case Group():
            return f"(?:{child_results[0]})"
        case Backreference():
            reference = readings[id(node)]
            return _reference(reference.groups, node.ignore_case) if isinstance(reference, ReadableReference) else NEVER
        case Repeat():
            if node.maximum == 0:
                return ""
            body = child_results[0] if isinstance(node.body, Chars) and node.body.units else f"(?:{child_results[0]})"
            return body + _quantifier(node.minimum, node.maximum) + ("?" if node.lazy else "")
        case Sequence():
            return "".join(
                f"(?:{source})" if isinstance(item, Alternation) else source
                for item, source in zip(node.items, child_results, strict=True)
            )
        case Alternation():
            return "|".join(child_results)
        case _:
            assert_never(node)


def _quantifier(minimum: int, maximum: int | None) -> str:
    match minimum, maximum:
        case 0, None:
            return "*"
        case 1, None:
            return "+"
        case 0, 1:
            return "?"
        case _, None:
            return f"{{{minimum},}}"
        case _:
            return f"{{{minimum},{maximum}}}"


def _reference(groups: tuple[int, ...], ignore_case: bool) -> str:
    source = ""
    for index in reversed(groups):
        one = f"(?i:(?P=g{index}))" if ignore_case else f"(?P=g{index})"
        source = f"(?(g{index}){one}|{source})"
    return source
