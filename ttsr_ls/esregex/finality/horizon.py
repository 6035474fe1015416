"""Computes how far past its position a node looks, and whether following text can therefore undo a match.

Owns `is_end_sensitive` and the facts behind it; `finality` describes the matches that cannot be undone.
"""

from __future__ import annotations

from functools import lru_cache
from typing import assert_never

from msgspec import Struct

from ttsr_ls.esregex.tree.bottom_up import fold_tree_incrementally
from ttsr_ls.esregex.tree.incremental import PORTION, Incremental, run_to_completion
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
    walk,
)
from ttsr_ls.esregex.tree.widths import WIDEST, greatest_width, least_width
from ttsr_ls.text import Span

_NO_READERS = (WIDEST, 0)


class _Reach(Struct, frozen=True):
    """The numbers of units that a node consumes and looks at; `WIDEST` means no bound.

    `ahead` is how far a node that is matched forward looks past its start; `behind` is how far a node that is matched
    backward looks past its end, where its matching starts. `readers` is the smallest span, as start and end, that
    contains all backreferences to captures in the node.
    """

    least: int
    greatest: int
    ahead: int
    behind: int
    readers: tuple[int, int]


# Shared by all characters, which are most nodes of a pattern.
_CHARACTER = _Reach(1, 1, 1, 0, _NO_READERS)
_LOOKS_BACK_ONLY = (AssertionKind.INPUT_START, AssertionKind.LINE_START)


def is_end_sensitive(pattern: Pattern) -> bool:
    r"""Returns whether some text has a match that a continuation of the text can undo.

    Then text that has not arrived yet decides the match: `any\b` matches at the end of `any`, but not in `anything`.
    `\bany` is not sensitive: the match goes on to consume the unit that `\b` looks at. May wrongly return True for
    variable widths only.
    """
    return bool(end_sensitive_nodes(pattern))


def is_end_sensitive_incrementally(pattern: Pattern) -> Incremental[bool]:
    """The same as `is_end_sensitive`, in portions."""
    return bool((yield from _end_sensitive_nodes(pattern)))


# Cached, because callers ask for the nodes again when a pattern turns out to be sensitive.
@lru_cache(maxsize=4)
def end_sensitive_nodes(pattern: Pattern) -> tuple[Node, ...]:
    """Returns the assertions and lookarounds that make a pattern end-sensitive. A node inside a lookahead is preferred
    to the lookahead.
    """
    return run_to_completion(_end_sensitive_nodes(pattern))


def _end_sensitive_nodes(pattern: Pattern) -> Incremental[tuple[Node, ...]]:
    if (yield from _is_plainly_insensitive(pattern.root)):
        return ()
    reaches = yield from _reaches(pattern.root)
    nodes: list[Node] = []
    pending = [(pattern.root, 0)]
    remaining = PORTION
    while pending:
        remaining -= 1
        if not remaining:
            yield PORTION
            remaining = PORTION
        # `after` is how many units certainly follow the node before the match ends.
        node, after = pending.pop()
        match node:
            case Chars() | Backreference():
                pass
            case Assertion():
                if reaches[id(node)].ahead > after:
                    nodes.append(node)
            case Look():
                reach = reaches[id(node)]
                if reach.ahead < WIDEST and reach.ahead <= after:
                    continue
                if node.kind is not LookKind.AHEAD or _is_referenced_from_outside(node.span, reach):
                    nodes.append(node)
                else:
                    pending.append((node.body, 0))
            case Capture() | Group() | Repeat():
                pending.append((node.body, after))
            case Sequence():
                for item in reversed(node.items):
                    pending.append((item, after))
                    after = min(WIDEST, after + reaches[id(item)].least)
            case Alternation():
                pending.extend((branch, after) for branch in node.branches)
            case _:
                assert_never(node)
    yield PORTION - remaining
    return tuple(nodes)


def _is_plainly_insensitive(root: Node) -> Incremental[bool]:
    """Returns whether one pass shows that a pattern is not end-sensitive: it has no lookaround, and each assertion that
    looks ahead, such as `\\b`, precedes a character.
    """
    unresolved = 0
    number = 0
    for number, node in enumerate(walk(root), 1):
        if not number % (2 * PORTION):
            yield PORTION
        match node:
            case Look():
                return False
            case Assertion() if node.kind not in _LOOKS_BACK_ONLY:
                unresolved += 1
            case Sequence():
                unresolved -= _before_characters(node.items)
            case _:
                pass
    yield number % (2 * PORTION) // 2
    return unresolved == 0


def _before_characters(items: tuple[Node, ...]) -> int:
    """Returns the number of assertions in a sequence that look ahead and precede a character of the sequence."""
    last = max((index for index, item in enumerate(items) if type(item) is Chars), default=0)
    return sum(isinstance(item, Assertion) and item.kind not in _LOOKS_BACK_ONLY for item in items[:last])


def _is_referenced_from_outside(span: Span, reach: _Reach) -> bool:
    """Returns whether a backreference outside of a lookaround refers to a capture in it, so that the captured text
    matters, too."""
    start, end = reach.readers
    return start < span.start or end > span.end


def _reaches(root: Node) -> Incremental[dict[int, _Reach]]:
    """Returns the `_Reach` of every node, keyed by identity, because nodes have no equality."""
    readers = _readers(root)
    reaches: dict[int, _Reach] = {}

    def combine(node: Node, child_results: tuple[_Reach, ...]) -> _Reach:
        if type(node) is Chars:
            return reaches.setdefault(id(node), _CHARACTER)
        minimum = least_width(node, tuple(reach.least for reach in child_results))
        maximum = greatest_width(node, tuple(reach.greatest for reach in child_results))
        ahead, behind = _ahead_and_behind(node, child_results)
        mine = readers.get(node.index, _NO_READERS) if isinstance(node, Capture) else _NO_READERS
        ranges = [mine, *(reach.readers for reach in child_results)]
        inside = min(start for start, _ in ranges), max(end for _, end in ranges)
        reach = reaches[id(node)] = _Reach(minimum, maximum, min(WIDEST, ahead), min(WIDEST, behind), inside)
        return reach

    yield from fold_tree_incrementally(root, combine)
    return reaches


def _ahead_and_behind(node: Node, child_results: tuple[_Reach, ...]) -> tuple[int, int]:
    """Returns `ahead` and `behind` of a node (see `_Reach`)."""
    match node:
        case Chars():
            return 1, 0
        case Backreference():
            return WIDEST, 0
        case Assertion():
            looks = 0 if node.kind in _LOOKS_BACK_ONLY else 1
            return looks, looks
        case Look():
            looks = child_results[0].behind if node.kind.is_behind else child_results[0].ahead
            return looks, looks
        case Capture() | Group():
            return child_results[0].ahead, child_results[0].behind
        case Repeat():
            return _ahead_of_repeat(node, child_results[0]), child_results[0].behind
        case Sequence():
            return _ahead_and_behind_of_sequence(child_results)
        case Alternation():
            return max(reach.ahead for reach in child_results), max(reach.behind for reach in child_results)
        case _:
            assert_never(node)


def _ahead_of_repeat(node: Repeat, body: _Reach) -> int:
    if body.ahead == 0 or node.maximum == 0:
        return 0
    if body.greatest == 0:
        return body.ahead
    return WIDEST if node.maximum is None else body.greatest * (node.maximum - 1) + body.ahead


def _ahead_and_behind_of_sequence(child_results: tuple[_Reach, ...]) -> tuple[int, int]:
    ahead = width = 0
    for reach in child_results:
        if reach.ahead:
            ahead = max(ahead, width + reach.ahead)
        width = min(WIDEST, width + reach.greatest)
    behind = width = 0
    for reach in reversed(child_results):
        behind = max(behind, reach.behind - width)
        width = min(WIDEST, width + reach.least)
    return ahead, behind


def _readers(root: Node) -> dict[int, tuple[int, int]]:
    """Returns for each capture the smallest span, as start and end, that contains all backreferences to it."""
    readers: dict[int, tuple[int, int]] = {}
    for node in walk(root):
        if isinstance(node, Backreference):
            for group in node.groups:
                start, end = readers.get(group, _NO_READERS)
                readers[group] = min(start, node.span.start), max(end, node.span.end)
    return readers
