"""The number of units that a tree consumes, and the units with which a match can begin and end. Each node's answer is
computed from those of its children."""

from __future__ import annotations

from typing import assert_never

from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    Backreference,
    Capture,
    Chars,
    Group,
    Look,
    Node,
    Repeat,
    Sequence,
)
from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT, NO_UNIT, UnitSet

WIDEST = 1 << 40
"""The cap of all widths. No text is longer, and nested counts would otherwise produce arbitrarily large numbers."""


def least_width(node: Node, child_results: tuple[int, ...]) -> int:
    """Returns the least number of units that `node` consumes, at most `WIDEST`. `child_results` has the answers of its
    children.
    """
    match node:
        case Chars():
            return 1
        case Assertion() | Look() | Backreference():
            return 0
        case Capture() | Group():
            return child_results[0]
        case Repeat():
            return min(WIDEST, child_results[0] * node.minimum)
        case Sequence():
            return min(WIDEST, sum(child_results))
        case Alternation():
            return min(child_results)
        case _:
            assert_never(node)


def greatest_width(node: Node, child_results: tuple[int, ...]) -> int:
    """Returns the greatest number of units that `node` consumes, `WIDEST` for no bound. `child_results` has the answers
    of its children.
    """
    match node:
        case Chars():
            return 1
        case Assertion() | Look():
            return 0
        case Backreference():
            return WIDEST
        case Capture() | Group():
            return child_results[0]
        case Repeat():
            if child_results[0] == 0 or node.maximum == 0:
                return 0
            return WIDEST if node.maximum is None else min(WIDEST, child_results[0] * node.maximum)
        case Sequence():
            return min(WIDEST, sum(child_results))
        case Alternation():
            return max(child_results)
        case _:
            assert_never(node)


def first_units(node: Node, child_results: tuple[tuple[UnitSet, bool], ...]) -> tuple[UnitSet, bool]:
    """Returns the possible first units if `node` consumes any, read forward, and whether it may consume none."""
    return _first_in_order(node, child_results)


def last_units(node: Node, child_results: tuple[tuple[UnitSet, bool], ...]) -> tuple[UnitSet, bool]:
    """Returns the possible last units if `node` consumes any, read forward, and whether it may consume none."""
    return _first_in_order(node, child_results[::-1])


def _first_in_order(node: Node, child_results: tuple[tuple[UnitSet, bool], ...]) -> tuple[UnitSet, bool]:
    """`first_units`; with the children of sequences in the other order, `last_units`."""
    match node:
        case Chars():
            return node.units, False
        case Assertion() | Look():
            return NO_UNIT, True
        case Backreference():
            return EVERY_UNIT, True
        case Capture() | Group():
            return child_results[0]
        case Repeat():
            units, may_be_empty = child_results[0]
            return units, may_be_empty or node.minimum == 0
        case Sequence():
            return _first_of_sequence(child_results)
        case Alternation():
            ranges = [pair for units, _ in child_results for pair in units.ranges]
            return UnitSet.of(ranges), any(may_be_empty for _, may_be_empty in child_results)
        case _:
            assert_never(node)


def _first_of_sequence(child_results: tuple[tuple[UnitSet, bool], ...]) -> tuple[UnitSet, bool]:
    ranges: list[tuple[int, int]] = []
    for units, may_be_empty in child_results:
        ranges.extend(units.ranges)
        if not may_be_empty:
            return UnitSet.of(ranges), False
    return UnitSet.of(ranges), True
