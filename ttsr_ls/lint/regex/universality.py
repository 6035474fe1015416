"""Decides whether a pattern matches in every text.

Decides on the tree, not on samples, and answers yes only if that is certain. Patterns beyond that (for example two
alternatives that are exhaustive only together with their lookarounds) are never written by accident.
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from ttsr_ls.esregex.parse.escapes import LINE_TERMINATORS
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
)
from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT, NO_UNIT, UnitSet


class PatternBreadth(Enum):
    """The extent of the texts that a pattern matches."""

    EVERY_TEXT = "every text, even the empty one"
    EVERY_CHARACTER = "every text that has a character in it"
    SOME = "some texts"


class _Reach(Struct, frozen=True):
    """The positions at which a node certainly matches.

    `start`, `end` and `everywhere`: it matches the empty string at the start of every text, at the end, at every
    position. `whole`: it matches every text from start to end.
    """

    start: bool
    end: bool
    everywhere: bool
    whole: bool
    alone: UnitSet
    """The units that the node matches as a text of one unit, at every position."""
    needs_unit: bool
    """The node never matches the empty string."""


_NOWHERE = _Reach(start=False, end=False, everywhere=False, whole=False, alone=NO_UNIT, needs_unit=False)


def pattern_breadth(pattern: Pattern) -> PatternBreadth:
    """Returns how much a pattern matches, as far as that is certain."""
    if isinstance(pattern.root, Sequence) and sum(isinstance(item, Chars) for item in pattern.root.items) > 1:
        return PatternBreadth.SOME  # A match has two characters at least.
    root = fold_tree(pattern.root, _reach)
    if root.start or root.end or root.whole:
        return PatternBreadth.EVERY_TEXT
    if not EVERY_UNIT - LINE_TERMINATORS - root.alone:
        return PatternBreadth.EVERY_CHARACTER
    return PatternBreadth.SOME


def _reach(node: Node, below: tuple[_Reach, ...]) -> _Reach:
    match node:
        case Chars():
            return _Reach(start=False, end=False, everywhere=False, whole=False, alone=node.units, needs_unit=True)
        case Assertion():
            return _assertion(node.kind)
        case Look():
            return _look(node.kind, below[0])
        case Capture() | Group():
            return below[0]
        case Backreference():
            # Its text depends on the path; a group that captured nothing makes it match anywhere.
            return _NOWHERE
        case Repeat():
            return _repeat(node, below[0])
        case Sequence():
            return _sequence(below)
        case Alternation():
            return _alternation(below)


def _empty(start: bool, end: bool, everywhere: bool) -> _Reach:
    return _Reach(start=start, end=end, everywhere=everywhere, whole=False, alone=NO_UNIT, needs_unit=False)


def _assertion(kind: AssertionKind) -> _Reach:
    match kind:
        case AssertionKind.INPUT_START | AssertionKind.LINE_START:
            return _empty(start=True, end=False, everywhere=False)
        case AssertionKind.INPUT_END | AssertionKind.LINE_END:
            return _empty(start=False, end=True, everywhere=False)
        case AssertionKind.WORD_BOUNDARY | AssertionKind.NOT_WORD_BOUNDARY:
            return _NOWHERE


def _look(kind: LookKind, body: _Reach) -> _Reach:
    match kind:
        case LookKind.AHEAD | LookKind.BEHIND:
            return _empty(body.start, body.end, body.everywhere)
        case LookKind.NOT_AHEAD:
            return _empty(start=False, end=body.needs_unit, everywhere=False)
        case LookKind.NOT_BEHIND:
            return _empty(start=body.needs_unit, end=False, everywhere=False)


def _repeat(node: Repeat, body: _Reach) -> _Reach:
    if node.maximum == 0:
        return _empty(start=True, end=True, everywhere=True)
    skippable = node.minimum == 0
    return _Reach(
        start=skippable or body.start,
        end=skippable or body.end,
        everywhere=skippable or body.everywhere,
        whole=(body.whole and node.minimum <= 1) or (skippable and node.maximum is None and body.alone == EVERY_UNIT),
        alone=body.alone if node.minimum <= 1 or body.everywhere else NO_UNIT,
        needs_unit=body.needs_unit and not skippable,
    )


def _sequence(items: tuple[_Reach, ...]) -> _Reach:
    reach = _empty(start=True, end=True, everywhere=True)
    for item in items:
        units = NO_UNIT
        if reach.everywhere:
            units = item.alone
        if item.everywhere:
            units = units | reach.alone
        reach = _Reach(
            start=reach.start and item.start,
            end=reach.end and item.end,
            everywhere=reach.everywhere and item.everywhere,
            whole=(reach.start and item.whole) or (reach.whole and item.end),
            alone=units,
            needs_unit=reach.needs_unit or item.needs_unit,
        )
    return reach


def _alternation(branches: tuple[_Reach, ...]) -> _Reach:
    return _Reach(
        start=any(branch.start for branch in branches),
        end=any(branch.end for branch in branches),
        everywhere=any(branch.everywhere for branch in branches),
        whole=any(branch.whole for branch in branches),
        alone=UnitSet.of(pair for branch in branches for pair in branch.alone.ranges),
        needs_unit=all(branch.needs_unit for branch in branches),
    )
