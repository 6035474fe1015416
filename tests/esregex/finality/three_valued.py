"""The definition of finality as an evaluator: three-valued logic over the prefix of a text.

Shares only the tree with `finality` and the automaton. All positions past the end of the prefix are one position, about
which only constants are known: a character class that is not empty may match there, and `^` without `m` does not hold.
A lookbehind at such a position may go back to any position. Patterns with backreferences are not evaluated.
"""

from __future__ import annotations

from enum import IntEnum
from typing import assert_never

from ttsr_ls.esregex.parse.escapes import LINE_TERMINATORS, WORD_UNITS
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
    Pattern,
    Repeat,
    Sequence,
)
from ttsr_ls.esregex.tree.unit_set import UnitSet


class Truth(IntEnum):
    FALSE = 0
    UNKNOWN = 1
    TRUE = 2


Ends = dict[int, Truth]
"""The truth value of each position at which a node may end. Other positions are false."""


def is_final(pattern: Pattern, prefix: str) -> bool:
    """Returns whether a match in the prefix holds for every continuation."""
    evaluator = _Evaluator(prefix)
    return any(
        Truth.TRUE in evaluator.ends(pattern.root, start, backward=False).values() for start in range(len(prefix) + 1)
    )


class _Evaluator:
    def __init__(self, prefix: str) -> None:
        self._text = prefix
        self._length = len(prefix)
        self._past = len(prefix) + 1
        self._anywhere = len(prefix) + 2
        self._known: dict[tuple[int, int, bool], Ends] = {}

    def ends(self, node: Node, position: int, backward: bool) -> Ends:
        key = id(node), position, backward
        if key not in self._known:
            self._known[key] = self._ends(node, position, backward)
        return self._known[key]

    def _ends(self, node: Node, position: int, backward: bool) -> Ends:
        match node:
            case Chars():
                return self._character(node, position, backward)
            case Assertion():
                return _where(position, self._assertion(node, position))
            case Look():
                return _where(position, self._look(node, position))
            case Capture() | Group():
                return self.ends(node.body, position, backward)
            case Sequence():
                reached = {position: Truth.TRUE}
                for item in reversed(node.items) if backward else node.items:
                    reached = self._after(item, reached, backward)
                return reached
            case Alternation():
                reached = {}
                for branch in node.branches:
                    _add(reached, self.ends(branch, position, backward))
                return reached
            case Repeat():
                return self._repeat(node, position, backward)
            case Backreference():
                raise NotImplementedError
            case _:
                assert_never(node)

    def _after(self, node: Node, reached: Ends, backward: bool) -> Ends:
        truths: Ends = {}
        for position, truth in reached.items():
            _add(truths, {end: min(truth, other) for end, other in self.ends(node, position, backward).items()})
        return truths

    def _repeat(self, node: Repeat, position: int, backward: bool) -> Ends:
        reached = {position: Truth.TRUE}
        for _ in range(node.minimum):
            reached = self._after(node.body, reached, backward)
        truths = dict(reached)
        # More rounds than there are pairs of position and truth value reach nothing new.
        limit = 2 * (self._length + 3)
        for _ in range(limit if node.maximum is None else min(limit, node.maximum - node.minimum)):
            reached = self._after(node.body, reached, backward)
            _add(truths, reached)
        return truths

    def _character(self, node: Chars, position: int, backward: bool) -> Ends:
        if position > self._length or (position == self._length and not backward):
            return {max(position, self._past): Truth.UNKNOWN} if node.units else {}
        offset = position - 1 if backward else position
        if offset < 0 or ord(self._text[offset]) not in node.units:
            return {}
        return {offset if backward else offset + 1: Truth.TRUE}

    def _assertion(self, node: Assertion, position: int) -> Truth:
        kind = node.kind
        match kind:
            case AssertionKind.INPUT_START:
                return Truth.UNKNOWN if position == self._anywhere else _truth(position == 0)
            case AssertionKind.LINE_START:
                return (
                    Truth.UNKNOWN
                    if position > self._length
                    else _truth(position == 0 or self._is_in(LINE_TERMINATORS, position - 1))
                )
            case AssertionKind.INPUT_END:
                return _truth(False) if position < self._length else Truth.UNKNOWN
            case AssertionKind.LINE_END:
                return _truth(self._is_in(LINE_TERMINATORS, position)) if position < self._length else Truth.UNKNOWN
            case AssertionKind.WORD_BOUNDARY | AssertionKind.NOT_WORD_BOUNDARY:
                if position >= self._length:
                    return Truth.UNKNOWN
                before = position > 0 and self._is_in(WORD_UNITS, position - 1)
                changes = before != self._is_in(WORD_UNITS, position)
                return _truth(changes == (kind is AssertionKind.WORD_BOUNDARY))
            case _:
                assert_never(kind)

    def _look(self, node: Look, position: int) -> Truth:
        if node.kind.is_behind and position == self._past:
            position = self._anywhere
        truth = max(self.ends(node.body, position, node.kind.is_behind).values(), default=Truth.FALSE)
        return Truth(Truth.TRUE - truth) if node.kind.is_negated else truth

    def _is_in(self, units: UnitSet, at: int) -> bool:
        return ord(self._text[at]) in units


def _truth(value: bool) -> Truth:
    return Truth.TRUE if value else Truth.FALSE


def _where(position: int, truth: Truth) -> Ends:
    return {position: truth} if truth else {}


def _add(reached: Ends, more: Ends) -> None:
    for position, truth in more.items():
        reached[position] = max(truth, reached.get(position, Truth.FALSE))
