"""Computes the units that may occur directly before or after a required factor, from the adjacent nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Sequence as Items

from ttsr_ls.esregex.parse.escapes import LINE_TERMINATORS, WORD_UNITS
from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import Assertion, AssertionKind, Backreference, Node, Sequence, walk
from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT, UnitSet
from ttsr_ls.esregex.tree.widths import first_units, last_units
from ttsr_ls.text import Span

ANYTHING = Sequence(Span(0, 0), ())
"""A marker among the nodes before a factor: the unit directly before the factor is unknown."""

_MAX_NODES = 12
"""How many possibly empty nodes are considered. After them, any unit is assumed to be possible."""

_Ends = Callable[[Node, tuple[tuple[UnitSet, bool], ...]], tuple[UnitSet, bool]]


def units_before(before: Items[Node], units: Iterable[str]) -> UnitSet | None:
    """Returns the units that may precede one of `units`, unless it is at the start of the text; None for any unit."""
    return _units(reversed(before), units, AssertionKind.LINE_START, last_units)


def units_after(after: Items[Node], units: Iterable[str]) -> UnitSet | None:
    """Returns the units that may follow one of `units`, unless it is at the end of the text; None for any unit."""
    return _units(after, units, AssertionKind.LINE_END, first_units)


def _units(nodes: Iterable[Node], units: Iterable[str], line: AssertionKind, ends: _Ends) -> UnitSet | None:
    """Returns the units that some nodes, the nearest first, allow next to a factor; None for any unit."""
    found: list[tuple[int, int]] = []
    is_adjacent = True
    unit_set = EVERY_UNIT
    looked_at = 0
    for node in nodes:
        if node is ANYTHING or looked_at == _MAX_NODES:
            break
        if isinstance(node, Assertion):
            if node.kind is line:
                return UnitSet.of([*found, *LINE_TERMINATORS.ranges]) & unit_set
            if node.kind is AssertionKind.WORD_BOUNDARY and is_adjacent:
                unit_set = unit_set & _across_boundary(units)
            continue
        if any(isinstance(inner, Backreference) for inner in walk(node)):
            break
        looked_at += 1
        consumed, may_be_empty = fold_tree(node, ends)
        found += consumed.ranges
        if not may_be_empty:
            return UnitSet.of(found) & unit_set
        is_adjacent = is_adjacent and not consumed
    return unit_set if unit_set != EVERY_UNIT else None


def _across_boundary(units: Iterable[str]) -> UnitSet:
    """Returns the units that a `\\b` next to one of `units` allows on its other side."""
    are_word_units = {ord(unit) in WORD_UNITS for unit in units}
    if len(are_word_units) > 1:
        return EVERY_UNIT
    return ~WORD_UNITS if are_word_units.pop() else WORD_UNITS
