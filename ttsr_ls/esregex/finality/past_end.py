"""Matching of a node at a position past the end of the known text, where each unit is unknown.

Only constants are known there: `[]` matches no unit, `(?!)` never holds, `(?=)` always does, and `^` without `m` does
not hold after the start. A lookbehind is not evaluated, because it may see both known and unknown text.
"""

from __future__ import annotations

from typing import assert_never

from msgspec import Struct

from ttsr_ls.esregex.tree.bottom_up import fold_tree_incrementally
from ttsr_ls.esregex.tree.incremental import Incremental
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    AssertionKind,
    Backreference,
    Capture,
    Chars,
    Group,
    Look,
    Node,
    Repeat,
    Sequence,
)


class MatchPastEnd(Struct, frozen=True):
    """The answer for a node past the end of the known text: whether it can match, and whether it certainly matches."""

    is_possible: bool
    """The node matches for some continuation."""
    is_certain: bool
    """The node matches the empty string for every continuation."""


_UNKNOWN = MatchPastEnd(is_possible=True, is_certain=False)
_IMPOSSIBLE = MatchPastEnd(is_possible=False, is_certain=False)


class _Facts(Struct, frozen=True):
    """The facts about a node past the end, and about any position that a lookbehind there may go back to."""

    past: MatchPastEnd
    anywhere: MatchPastEnd


def matches_past_end(root: Node) -> Incremental[dict[int, MatchPastEnd]]:
    """Returns the facts about every node of a tree, keyed by identity, because nodes have no equality."""
    by_node: dict[int, MatchPastEnd] = {}

    def combine(node: Node, child_results: tuple[_Facts, ...]) -> _Facts:
        facts = _facts(node, child_results)
        by_node[id(node)] = facts.past
        return facts

    yield from fold_tree_incrementally(root, combine)
    return by_node


def _facts(node: Node, child_results: tuple[_Facts, ...]) -> _Facts:
    match node:
        case Assertion(kind=AssertionKind.INPUT_START):
            return _Facts(_IMPOSSIBLE, _UNKNOWN)
        case Look() if node.kind.is_behind:
            anywhere = _combined(node, (child_results[0].anywhere,))
            return _Facts(anywhere, anywhere)
        case _:
            match_past_end = _combined(node, tuple(facts.past for facts in child_results))
            return _Facts(match_past_end, _combined(node, tuple(facts.anywhere for facts in child_results)))


def _combined(node: Node, child_results: tuple[MatchPastEnd, ...]) -> MatchPastEnd:
    match node:
        case Chars():
            return _UNKNOWN if node.units else _IMPOSSIBLE
        case Assertion() | Backreference():
            return _UNKNOWN
        case Look() if node.kind.is_negated:
            return MatchPastEnd(
                is_possible=not child_results[0].is_certain, is_certain=not child_results[0].is_possible
            )
        case Look() | Capture() | Group():
            return child_results[0]
        case Repeat():
            return MatchPastEnd(is_possible=True, is_certain=True) if node.minimum == 0 else child_results[0]
        case Sequence():
            return MatchPastEnd(
                all(match_past_end.is_possible for match_past_end in child_results),
                all(match_past_end.is_certain for match_past_end in child_results),
            )
        case Alternation():
            return MatchPastEnd(
                any(match_past_end.is_possible for match_past_end in child_results),
                any(match_past_end.is_certain for match_past_end in child_results),
            )
        case _:
            assert_never(node)
