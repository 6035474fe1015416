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

_NOWHERE = (WIDEST, 0)


class _Reach(Struct, frozen=True):
    """The distances that a node looks and consumes, in units; `WIDEST` is no bound.

    `ahead` is how far past its start a node looks that is matched forward, `behind` how far past its end (where its
    matching starts) one that is matched backward. `readers` is the least span that holds every backreference to a
    capture inside, as start and end.
    """

    least: int
    greatest: int
    ahead: int
    behind: int
    readers: tuple[int, int]


# What every character has in common: most nodes of a pattern.
_CHARACTER = _Reach(1, 1, 1, 0, _NOWHERE)
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
    return bool((yield from _undecided(pattern)))


# Whoever asks of one pattern, asks again when it turns out to be sensitive.
@lru_cache(maxsize=4)
def end_sensitive_nodes(pattern: Pattern) -> tuple[Node, ...]:
    """Returns the assertions and lookarounds that make a pattern end-sensitive. A node inside a lookahead is preferred
    to the lookahead.
    """
    return run_to_completion(_undecided(pattern))


def _undecided(pattern: Pattern) -> Incremental[tuple[Node, ...]]:
    if (yield from _is_decided_at_once(pattern.root)):
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
                if node.kind is not LookKind.AHEAD or _is_read_from_outside(node.span, reach):
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


def _is_decided_at_once(root: Node) -> Incremental[bool]:
    """Returns whether one look at the tree tells: all that looks ahead is `\\b` and the like before a character."""
    undecided = 0
    number = 0
    for number, node in enumerate(walk(root), 1):
        if not number % (2 * PORTION):
            yield PORTION
        match node:
            case Look():
                return False
            case Assertion() if node.kind not in _LOOKS_BACK_ONLY:
                undecided += 1
            case Sequence():
                undecided -= _before_characters(node.items)
            case _:
                pass
    yield number % (2 * PORTION) // 2
    return undecided == 0


def _before_characters(items: tuple[Node, ...]) -> int:
    """Returns the number of assertions in a sequence that look ahead and have a character of the sequence behind
    them."""
    last = max((index for index, item in enumerate(items) if type(item) is Chars), default=0)
    return sum(isinstance(item, Assertion) and item.kind not in _LOOKS_BACK_ONLY for item in items[:last])


def _is_read_from_outside(span: Span, reach: _Reach) -> bool:
    """Returns whether a capture inside of a look is read outside: then what it captured matters, not only that it
    matched."""
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
        ahead, behind = _looks_at(node, child_results)
        mine = readers.get(node.index, _NOWHERE) if isinstance(node, Capture) else _NOWHERE
        ranges = [mine, *(reach.readers for reach in child_results)]
        inside = min(start for start, _ in ranges), max(end for _, end in ranges)
        reach = reaches[id(node)] = _Reach(minimum, maximum, min(WIDEST, ahead), min(WIDEST, behind), inside)
        return reach

    yield from fold_tree_incrementally(root, combine)
    return reaches


def _looks_at(node: Node, child_results: tuple[_Reach, ...]) -> tuple[int, int]:
    """`ahead` and `behind` of a node, see `_Reach`."""
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
            return _repeat_looks_at(node, child_results[0]), child_results[0].behind
        case Sequence():
            return _sequence_looks_at(child_results)
        case Alternation():
            return max(reach.ahead for reach in child_results), max(reach.behind for reach in child_results)
        case _:
            assert_never(node)


def _repeat_looks_at(node: Repeat, body: _Reach) -> int:
    if body.ahead == 0 or node.maximum == 0:
        return 0
    if body.greatest == 0:
        return body.ahead
    return WIDEST if node.maximum is None else body.greatest * (node.maximum - 1) + body.ahead


def _sequence_looks_at(child_results: tuple[_Reach, ...]) -> tuple[int, int]:
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
    """For each capture that is read, from where to where the backreferences to it stand."""
    readers: dict[int, tuple[int, int]] = {}
    for node in walk(root):
        if isinstance(node, Backreference):
            for group in node.groups:
                start, end = readers.get(group, _NOWHERE)
                readers[group] = min(start, node.span.start), max(end, node.span.end)
    return readers
