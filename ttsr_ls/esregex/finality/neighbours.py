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
    edges: dict[int, ConsumedEdges] = {}

    def combine(node: Node, child_results: tuple[ConsumedEdges, ...]) -> ConsumedEdges:
        of_node = edges[id(node)] = _edges(node, child_results)
        return of_node

    yield from fold_tree_incrementally(root, combine)
    return edges


def child_neighbours(
    node: Node, neighbours: NeighbourSets, edges: dict[int, ConsumedEdges]
) -> tuple[NeighbourSets, ...]:
    """Returns the neighbours of each child of a node whose neighbours are `neighbours`. `edges` has the edges of all
    nodes.
    """
    match node:
        case Chars() | Assertion() | Backreference():
            return ()
        case Look():
            if node.kind.is_behind:
                return (NeighbourSets(ANYTHING, neighbours.after),)
            return (NeighbourSets(neighbours.before, ANYTHING),)
        case Capture() | Group():
            return (neighbours,)
        case Repeat():
            if node.maximum is not None and node.maximum <= 1:
                return (neighbours,)
            of_body = edges[id(node.body)]
            return (NeighbourSets(neighbours.before | of_body.last, neighbours.after | of_body.first),)
        case Sequence():
            return _around_items(node, neighbours, edges)
        case Alternation():
            return (neighbours,) * len(node.branches)
        case _:
            assert_never(node)


def _around_items(
    node: Sequence, neighbours: NeighbourSets, edges: dict[int, ConsumedEdges]
) -> tuple[NeighbourSets, ...]:
    item_edges = [edges[id(item)] for item in node.items]
    befores = [neighbours.before]
    for consumed_edges in item_edges[:-1]:
        befores.append(consumed_edges.last | befores[-1] if consumed_edges.may_be_empty else consumed_edges.last)
    afters = [neighbours.after]
    for consumed_edges in reversed(item_edges[1:]):
        afters.append(consumed_edges.first | afters[-1] if consumed_edges.may_be_empty else consumed_edges.first)
    return tuple(NeighbourSets(before, after) for before, after in zip(befores, reversed(afters), strict=True))


def _edges(node: Node, child_results: tuple[ConsumedEdges, ...]) -> ConsumedEdges:
    match node:
        case Chars():
            of_node = Neighbour(node.units, may_be_end=False)
            return ConsumedEdges(of_node, of_node, may_be_empty=False)
        case Assertion() | Look():
            return _EMPTY
        case Backreference():
            return _UNKNOWN
        case Capture() | Group():
            return child_results[0]
        case Repeat():
            return ConsumedEdges(
                child_results[0].first, child_results[0].last, child_results[0].may_be_empty or node.minimum == 0
            )
        case Sequence():
            return _edges_of_sequence(child_results)
        case Alternation():
            first, last = (
                _any_of([edges.first for edges in child_results]),
                _any_of([edges.last for edges in child_results]),
            )
            return ConsumedEdges(first, last, any(edges.may_be_empty for edges in child_results))
        case _:
            assert_never(node)


def _edges_of_sequence(child_results: tuple[ConsumedEdges, ...]) -> ConsumedEdges:
    first: list[Neighbour] = []
    last: list[Neighbour] = []
    for edges in child_results:
        first.append(edges.first)
        if not edges.may_be_empty:
            break
    for edges in reversed(child_results):
        last.append(edges.last)
        if not edges.may_be_empty:
            break
    return ConsumedEdges(_any_of(first), _any_of(last), all(edges.may_be_empty for edges in child_results))


def _any_of(neighbours: list[Neighbour]) -> Neighbour:
    # One union of all: pairwise unions would take quadratic time.
    units = UnitSet.of([pair for neighbour in neighbours for pair in neighbour.units.ranges])
    return (
        Neighbour(units, any(neighbour.may_be_end for neighbour in neighbours))
        if len(units.ranges) <= _MAX_RANGES
        else ANYTHING
    )
