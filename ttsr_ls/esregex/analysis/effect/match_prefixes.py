"""The possible beginnings, or ends, of the texts that some nodes match: sequences of unit sets, one for each path
through the nodes.
"""

from __future__ import annotations

from collections.abc import Sequence as Items

from ttsr_ls.esregex.parse.escapes import LINE_TERMINATORS
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
from ttsr_ls.esregex.tree.unit_set import LAST_UNIT, UnitSet

_MAX_LENGTH = 8
_MAX_PREFIXES = 12
_MAX_STEPS = 400

_STARTS = (AssertionKind.INPUT_START, AssertionKind.LINE_START)
_ENDS = (AssertionKind.INPUT_END, AssertionKind.LINE_END)
_LINES = (AssertionKind.LINE_START, AssertionKind.LINE_END)
_TEXT_END = UnitSet.single(LAST_UNIT + 1)
"""Stands for the end of the text as a unit of its own, so that two nodes that require it are not disjoint."""
_LINE_END = LINE_TERMINATORS | _TEXT_END


MatchPrefix = tuple[UnitSet, ...]
"""The first units of a possible match, each as the set of units that it may be; read backwards, the last ones."""


def match_prefixes(items: Items[Node], *, backwards: bool = False) -> tuple[MatchPrefix, ...] | None:
    """Returns the possible beginnings of a match of a sequence of nodes; read `backwards`, its possible ends.

    None if there are too many paths. Assertions and lookarounds are assumed to hold, so the result may contain
    impossible prefixes, but lacks none.
    """
    prefixes: list[MatchPrefix] = []
    pending: list[tuple[MatchPrefix, tuple[Node, ...]]] = [((), _in_reading_order(items, backwards))]
    for _ in range(_MAX_STEPS):
        if not pending:
            return tuple(prefixes)
        units, rest = pending.pop()
        if not rest or len(units) == _MAX_LENGTH or (expansions := _expansions(rest[0], backwards)) is None:
            prefixes.append(units)
        else:
            for more, nodes, is_unknown_after in expansions:
                if is_unknown_after:
                    prefixes.append((*units, *more))
                else:
                    pending.append(((*units, *more), (*nodes, *rest[1:])))
        if len(prefixes) > _MAX_PREFIXES:
            return None
    return None


def have_disjoint_prefixes(prefixes: Items[MatchPrefix], other: Items[MatchPrefix]) -> bool:
    """Returns whether certainly no text begins both with a prefix of the first set and with a prefix of the second
    one."""
    return all(_are_disjoint(left, right) for left in prefixes for right in other)


def _are_disjoint(one: MatchPrefix, other: MatchPrefix) -> bool:
    return any(not _intersect(units, right) for units, right in zip(one, other, strict=False))


def _intersect(units: UnitSet, other: UnitSet) -> bool:
    return any(low <= top and bottom <= high for low, high in units.ranges for bottom, top in other.ranges)


def _in_reading_order(items: Items[Node], backwards: bool) -> tuple[Node, ...]:
    return tuple(reversed(items)) if backwards else tuple(items)


_Expansion = tuple[tuple[UnitSet, ...], tuple[Node, ...], bool]


def _expansions(node: Node, backwards: bool) -> list[_Expansion] | None:
    """Returns the expansions of a node: units, the nodes that follow them, and whether the units after them are
    unknown. None if nothing is known about the node."""
    match node:
        case Chars():
            return [((node.units,), (), False)]
        case Assertion():
            edge = _STARTS if backwards else _ENDS
            if node.kind not in edge:
                return [((), (), False)]
            return [((_LINE_END if node.kind in _LINES else _TEXT_END,), (), True)]
        case Look():
            return [((), (), False)]
        case Capture() | Group():
            return [((), (node.body,), False)]
        case Sequence():
            return [((), _in_reading_order(node.items, backwards), False)]
        case Alternation():
            return [((), (branch,), False) for branch in node.branches]
        case Repeat():
            return _expansions_of_repeat(node)
        case Backreference():
            return None


def _expansions_of_repeat(node: Repeat) -> list[_Expansion] | None:
    expansions: list[_Expansion] = []
    if node.minimum == 0:
        expansions.append(((), (), False))
    if node.maximum == 0:
        return expansions
    if not isinstance(node.body, Chars):
        is_short = node.minimum == node.maximum and node.minimum <= _MAX_LENGTH
        return [((), (node.body,) * node.minimum, False)] if is_short else None
    minimum = min(max(node.minimum, 1), _MAX_LENGTH)
    is_fixed = node.maximum == minimum
    expansions.append(((node.body.units,) * minimum, (), not is_fixed))
    return expansions
