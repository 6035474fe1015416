"""The units that may occur directly before and after each node of a tree, on all paths through the node."""

from __future__ import annotations

from typing import assert_never

from msgspec import Struct

from ttsr_ls.esregex.tree.bottom_up import fold_tree_incrementally
from ttsr_ls.esregex.tree.incremental import Incremental
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

_MAX_RANGES = 64
"""A set of more ranges counts as every unit, so that unions along a long pattern take linear time."""


class Neighbour(Struct, frozen=True):
    """The possible neighbours of a position: one of `units`, or none if the position may be an end of the text."""

    units: UnitSet
    may_be_end: bool

    def __or__(self, other: Neighbour) -> Neighbour:
        if self is ANYTHING or other is ANYTHING:
            return ANYTHING
        units = self.units if self.units is other.units else self.units | other.units
        if len(units.ranges) > _MAX_RANGES:
            return ANYTHING
        return Neighbour(units, self.may_be_end or other.may_be_end)


ANYTHING = Neighbour(EVERY_UNIT, may_be_end=True)


class NeighbourSets(Struct, frozen=True):
    """The neighbours of a node on both sides."""

    before: Neighbour
    after: Neighbour


class ConsumedEdges(Struct, frozen=True):
    """The units with which the text that a node consumes may begin and end. `may_be_empty` is true if it may consume
    none.
    """

    first: Neighbour
    last: Neighbour
    may_be_empty: bool


_NOTHING = Neighbour(NO_UNIT, may_be_end=False)
_EMPTY = ConsumedEdges(_NOTHING, _NOTHING, may_be_empty=True)
_UNKNOWN = ConsumedEdges(ANYTHING, ANYTHING, may_be_empty=True)


def edges_of_nodes(root: Node) -> Incremental[dict[int, ConsumedEdges]]:
    """Returns the edges of every node, keyed by identity, because nodes have no equality."""
    found: dict[int, ConsumedEdges] = {}

    def combine(node: Node, below: tuple[ConsumedEdges, ...]) -> ConsumedEdges:
        of_node = found[id(node)] = _edges(node, below)
        return of_node

    yield from fold_tree_incrementally(root, combine)
    return found


def child_neighbours(node: Node, around: NeighbourSets, found: dict[int, ConsumedEdges]) -> tuple[NeighbourSets, ...]:
    """Returns the neighbours of each child of a node whose neighbours are `around`. `found` has the edges of all
    nodes.
    """
    match node:
        case Chars() | Assertion() | Backreference():
            return ()
        case Look():
            if node.kind.is_behind:
                return (NeighbourSets(ANYTHING, around.after),)
            return (NeighbourSets(around.before, ANYTHING),)
        case Capture() | Group():
            return (around,)
        case Repeat():
            if node.maximum is not None and node.maximum <= 1:
                return (around,)
            of_body = found[id(node.body)]
            return (NeighbourSets(around.before | of_body.last, around.after | of_body.first),)
        case Sequence():
            return _around_items(node, around, found)
        case Alternation():
            return (around,) * len(node.branches)
        case _:
            assert_never(node)


def _around_items(node: Sequence, around: NeighbourSets, found: dict[int, ConsumedEdges]) -> tuple[NeighbourSets, ...]:
    of_items = [found[id(item)] for item in node.items]
    befores = [around.before]
    for each in of_items[:-1]:
        befores.append(each.last | befores[-1] if each.may_be_empty else each.last)
    afters = [around.after]
    for each in reversed(of_items[1:]):
        afters.append(each.first | afters[-1] if each.may_be_empty else each.first)
    return tuple(NeighbourSets(before, after) for before, after in zip(befores, reversed(afters), strict=True))


def _edges(node: Node, below: tuple[ConsumedEdges, ...]) -> ConsumedEdges:
    match node:
        case Chars():
            of_node = Neighbour(node.units, may_be_end=False)
            return ConsumedEdges(of_node, of_node, may_be_empty=False)
        case Assertion() | Look():
            return _EMPTY
        case Backreference():
            return _UNKNOWN
        case Capture() | Group():
            return below[0]
        case Repeat():
            return ConsumedEdges(below[0].first, below[0].last, below[0].may_be_empty or node.minimum == 0)
        case Sequence():
            return _edges_of_sequence(below)
        case Alternation():
            first, last = _any_of([each.first for each in below]), _any_of([each.last for each in below])
            return ConsumedEdges(first, last, any(each.may_be_empty for each in below))
        case _:
            assert_never(node)


def _edges_of_sequence(below: tuple[ConsumedEdges, ...]) -> ConsumedEdges:
    first: list[Neighbour] = []
    last: list[Neighbour] = []
    for each in below:
        first.append(each.first)
        if not each.may_be_empty:
            break
    for each in reversed(below):
        last.append(each.last)
        if not each.may_be_empty:
            break
    return ConsumedEdges(_any_of(first), _any_of(last), all(each.may_be_empty for each in below))


def _any_of(neighbours: list[Neighbour]) -> Neighbour:
    # One after the other, that would take time with the square of their number.
    units = UnitSet.of([pair for each in neighbours for pair in each.units.ranges])
    return (
        Neighbour(units, any(each.may_be_end for each in neighbours)) if len(units.ranges) <= _MAX_RANGES else ANYTHING
    )
