"""Builds the automaton of a pattern from its tree (`graph`).

Backreferences, and lookarounds that see more than a unit, are replaced by nodes that match at least as much: an
optional copy of the group, and nothing at all. Counted repeats become copies if these are few, else loops.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import TypeVar, assert_never

from msgspec import Struct

from ttsr_ls.esregex.analysis.graph.atoms import AtomPartition
from ttsr_ls.esregex.analysis.graph.boundary_relations import (
    BoundaryRelations,
    adjacent_unit_sets,
    depends_on_adjacent_units,
)
from ttsr_ls.esregex.analysis.graph.counting import CopyLimits, RepeatUnroller
from ttsr_ls.esregex.analysis.graph.graph import AtomGraph, GraphLoop
from ttsr_ls.esregex.analysis.graph.states import Positions, Ways, graph_of
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
    walk,
)
from ttsr_ls.esregex.tree.unit_set import UnitSet

_MAX_POSITIONS = 300
_MAX_EDGES = 6_000
_MAX_DEPTH = 60

Key = TypeVar("Key")


class GraphTooLarge(Exception):
    """The pattern exceeds the greatest number of positions, edges or nesting levels for analyses."""


class Direction(Enum):
    """The direction in which a tree is matched: the bodies of lookbehinds are matched backward."""

    FORWARD = "forward"
    BACKWARD = "backward"


class _Fragment(Struct):
    """A part of a pattern: how it begins and ends at a position, and the relations under which it may be empty."""

    first: Ways
    last: Ways
    empty: dict[int, int]


def atoms_of(roots: Iterable[Node]) -> AtomPartition:
    """Returns a common partition for several trees, so that their automata can be compared."""
    sets: dict[UnitSet, None] = {}
    looks: dict[UnitSet, None] = {}
    for root in roots:
        for node in walk(root):
            if isinstance(node, Chars):
                sets[node.units] = None
            elif isinstance(node, Assertion | Look):
                looks.update(dict.fromkeys(adjacent_unit_sets(node)))
    return AtomPartition(sets, looks)


class GraphLowering:
    """Builds graphs of trees over the same atoms. The trees may be parts of one pattern, whose captures are
    `captures`.
    """

    def __init__(self, atoms: AtomPartition, counting: CopyLimits, captures: dict[int, Capture]) -> None:
        self._atoms = atoms
        self._relations = BoundaryRelations(atoms)
        self._unroller = RepeatUnroller(counting)
        self._captures = dict(captures)

    def graph(self, root: Node, direction: Direction) -> AtomGraph:
        """Returns the automaton of a tree. Raises `GraphTooLarge`."""
        self._direction = direction
        self._positions = Positions()
        self._depth = 0
        self._work = 0
        fragment = self._fragment(root)
        empty = 0
        for relation in fragment.empty:
            empty |= relation
        return graph_of(self._atoms, self._positions, fragment.first, fragment.last, empty)

    def _fragment(self, node: Node) -> _Fragment:
        if isinstance(node, Chars):
            return self._position(node)
        if self._depth > _MAX_DEPTH:
            raise GraphTooLarge
        self._depth += 1
        fragment = self._inner(node)
        self._depth -= 1
        return fragment

    def _inner(self, node: Node) -> _Fragment:
        match node:
            case Sequence():
                backward = self._direction is Direction.BACKWARD
                fragment = self._nothing()
                for item in reversed(node.items) if backward else node.items:
                    fragment = self._joined(fragment, self._fragment(item))
                return fragment
            case Alternation():
                return self._either([self._fragment(branch) for branch in node.branches])
            case Group() | Capture():
                return self._fragment(node.body)
            case Repeat():
                return self._repeat(node)
            case Assertion() | Look():
                return self._assertion(node)
            case Backreference():
                return self._reference(node)
            case Chars():
                return self._position(node)
            case _:
                assert_never(node)

    def _nothing(self) -> _Fragment:
        return _Fragment({}, {}, {self._relations.always: 1})

    def _position(self, node: Chars) -> _Fragment:
        position = len(self._positions.masks)
        if position >= _MAX_POSITIONS:
            raise GraphTooLarge
        self._positions.masks.append(self._atoms.atoms_in_mask(node.units))
        self._positions.spans.append(node.span)
        way = (position, self._relations.always)
        return _Fragment({way: 1}, {way: 1}, {})

    def _assertion(self, node: Assertion | Look) -> _Fragment:
        relation = self._relations.relation(node)
        if self._direction is Direction.BACKWARD:
            relation = self._relations.reversed_relation(relation)
        if isinstance(node, Look) and not depends_on_adjacent_units(node):
            self._positions.is_exact = False
        return _Fragment({}, {}, {relation: 1} if relation else {})

    def _reference(self, node: Backreference) -> _Fragment:
        self._positions.is_exact = False
        options = [self._nothing()]
        for index in node.groups:
            capture = self._captures.pop(index, None)
            if capture is None:
                continue  # The reference is inside of its own group, where it matches the empty text.
            options.append(self._fragment(capture.body))
            self._captures[index] = capture
        return self._either(options)

    def _either(self, options: list[_Fragment]) -> _Fragment:
        fragment = _Fragment({}, {}, {})
        for option in options:
            _add(fragment.first, option.first)
            _add(fragment.last, option.last)
            _add(fragment.empty, option.empty)
        return fragment

    def _joined(self, fragment: _Fragment, other: _Fragment) -> _Fragment:
        self._connect(fragment.last, other.first)
        first, last = dict(fragment.first), dict(other.last)
        for relation, ways in fragment.empty.items():
            _add(first, _under(other.first, relation, ways))
        for relation, ways in other.empty.items():
            _add(last, _under(fragment.last, relation, ways))
        empty: dict[int, int] = {}
        for left, left_ways in fragment.empty.items():
            for right, right_ways in other.empty.items():
                if left & right:
                    empty[left & right] = min(2, empty.get(left & right, 0) + left_ways * right_ways)
        return _Fragment(first, last, empty)

    def _connect(self, last: Ways, first: Ways) -> None:
        self._work += len(last) * len(first)
        if self._work > _MAX_EDGES:
            raise GraphTooLarge
        for (before, left), left_ways in last.items():
            for (after, right), right_ways in first.items():
                relation = left & right
                if relation:
                    ways = self._positions.edges.setdefault((before, after), {})
                    ways[relation] = min(2, ways.get(relation, 0) + left_ways * right_ways)

    def _repeat(self, node: Repeat) -> _Fragment:
        if node.maximum == 0:
            return self._nothing()
        copies = self._unroller.copies(node)
        fragment = self._nothing()
        for _ in range(copies.required):
            fragment = self._joined(fragment, self._fragment(node.body))
        self._positions.is_cut = self._positions.is_cut or copies.is_cut
        if copies.optional is None:
            loop = self._loop(node, GraphLoop(node.span, copies.is_loose))
            return self._joined(fragment, loop if node.minimum else self._optional(loop))
        rest = self._nothing()
        for _ in range(copies.optional):
            rest = self._optional(self._joined(self._fragment(node.body), rest))
        return self._joined(fragment, rest)

    def _loop(self, node: Repeat, loop: GraphLoop) -> _Fragment:
        """Returns a loop of at least one round."""
        if loop.is_loose:
            self._positions.is_exact = False
        number = len(self._positions.loops)
        self._positions.loops.append(loop)
        body = self._fragment(node.body)
        self._connect(body.last, body.first)
        closed_by = self._positions.closed_by
        for before, _ in body.last:
            for after, _ in body.first:
                closing = closed_by.get((before, after), ())
                if number not in closing:
                    closed_by[before, after] = (*closing, number)
        return body

    def _optional(self, body: _Fragment) -> _Fragment:
        # An optional round must not be empty (ECMA-262 22.2.2.3.1), so there is one way to match the empty text.
        return _Fragment(body.first, body.last, {self._relations.always: 1})


def captures_in(root: Node) -> dict[int, Capture]:
    """Returns the capturing groups of a tree by their indexes."""
    return {node.index: node for node in walk(root) if isinstance(node, Capture)}


def _under(ways: Ways, relation: int, times: int) -> Ways:
    """Returns the ways under which `relation` holds, too, multiplied by `times`, the ways to `relation`."""
    return {
        (position, inner & relation): min(2, count * times)
        for (position, inner), count in ways.items()
        if inner & relation
    }


def _add(ways: dict[Key, int], more: dict[Key, int]) -> None:
    for key, count in more.items():
        ways[key] = min(2, ways.get(key, 0) + count)
