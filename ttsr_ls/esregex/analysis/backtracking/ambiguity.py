"""Finds ambiguities in the automaton of a pattern: texts that it can match along many paths.

A backtracking engine tries all paths before it gives up. Two shapes make their number grow with the text (Weber and
Seidl, "On the degree of ambiguity of finite automata"):

- a text `v` that leads from a state back to it along two paths: their number doubles with each `v`;
- a text `v` that leads from `p` to `p`, from `p` to another state `q`, and from `q` to `q`: it grows with each `v`.

Owns the search. `growth` runs the matcher to confirm that an ambiguity makes it slow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from functools import reduce
from itertools import pairwise
from operator import and_, or_
from typing import TypeVar

from msgspec import Struct

from ttsr_ls.esregex.analysis.graph.components import cyclic_components
from ttsr_ls.esregex.analysis.graph.graph import AtomGraph
from ttsr_ls.esregex.analysis.graph.work import WorkBudget
from ttsr_ls.text import Span

_MAX_NODES = 4_000
"""How many nodes all searches in one automaton may visit."""
_WORK_PER_NODE = 5
"""The work of visiting a node."""

Node = TypeVar("Node")


class TooAmbiguous(Exception):
    """The search for ambiguity reached its bound."""


class AmbiguityGrowth(Enum):
    """The growth of the number of paths with the length of the text."""

    EXPONENTIAL = "exponential"
    POLYNOMIAL = "polynomial"


class Ambiguity(Struct, frozen=True):
    """A text, as masks of atoms, that leads from the state `start` back to it along several paths, or on to `end`.

    `is_loose` is true if the ambiguity needs a loop of the automaton that allows more rounds than the pattern.
    """

    shape: AmbiguityGrowth
    start: int
    pump: tuple[int, ...]
    end: int
    hotspot: Span
    is_loose: bool


class AmbiguitySearch:
    """Searches one automaton for ambiguities. All searches of an instance share its bound."""

    def __init__(self, graph: AtomGraph, work: WorkBudget) -> None:
        self._graph = graph
        self._work = work
        self._nodes_left = _MAX_NODES
        self._components = [frozenset(component) for component in cyclic_components(graph.follow)]
        self._index_of = {state: index for index, component in enumerate(self._components) for state in component}

    def ambiguities(self) -> Iterator[Ambiguity]:
        """The ambiguities of the automaton, exponential ones first. Raises `TooAmbiguous` or `WorkExhausted`."""
        for component in self._components:
            yield from self._exponential(component)
        for index, component in enumerate(self._components):
            for other in self._components[index + 1 :]:
                ambiguity = self._polynomial(component, other)
                if ambiguity is not None:
                    yield ambiguity

    def index_of(self, state: int) -> int:
        """Returns the index of the strongly connected component of a state on a cycle. Edges between components lead
        only from lower to higher indexes.
        """
        return self._index_of[state]

    def component_of(self, state: int) -> frozenset[int]:
        """Returns the strongly connected component of a state on a cycle."""
        return self._components[self._index_of[state]]

    def _exponential(self, component: frozenset[int]) -> Iterator[Ambiguity]:
        # A text that cannot leave the component cannot match early, so such texts are searched for first.
        self._work.spend(len(self._graph.masks))
        beyond = self._graph.atoms_after(component)
        if beyond:
            yield from self._doubling(component, [mask & ~beyond for mask in self._graph.masks])
        yield from self._doubling(component, self._graph.masks)

    def _doubling(self, component: frozenset[int], masks: Sequence[int]) -> Iterator[Ambiguity]:
        """Yields texts over the atoms in `masks` that lead from a state of the component back to it along two paths."""
        follow = self._graph.follow
        allowed = frozenset([state for state in component if masks[state]])
        forks: list[tuple[int, int, int]] = []
        for state in sorted(allowed):
            self._work.spend(len(follow[state]))
            inside = [(other, ways) for other, ways in follow[state].items() if other in allowed]
            for index, (one, ways) in enumerate(inside):
                if ways > 1:
                    back = self._path(one, state, allowed)
                    if back is not None:
                        yield self._exponential_ambiguity(masks, (state, one, *back))
                self._work.spend(len(inside) - index)
                for other, _ in inside[index + 1 :]:
                    if masks[one] & masks[other]:
                        forks.append((state, one, other))
        seen: set[tuple[int, int]] = set()
        for state, one, other in forks:
            pairs = self._paths_that_meet(one, other, allowed, masks, seen)
            back = None if pairs is None else self._path(pairs[-1][0], state, allowed)
            if pairs is not None and back is not None:
                lefts = (state, *(left for left, _ in pairs), *back)
                rights = (state, *(right for _, right in pairs), *back)
                yield self._exponential_ambiguity(masks, lefts, rights)

    def _exponential_ambiguity(self, masks: Sequence[int], *cycles: tuple[int, ...]) -> Ambiguity:
        """Returns the ambiguity of two cycles over one text, or of one cycle with an edge for several ways."""
        pump = [reduce(and_, [masks[state] for state in step]) for step in zip(*cycles, strict=True)][1:]
        hotspot, is_loose = self._locate(cycles)
        start = cycles[0][0]
        return Ambiguity(AmbiguityGrowth.EXPONENTIAL, start, tuple(pump), start, hotspot, is_loose)

    def _paths_that_meet(
        self, one: int, other: int, allowed: frozenset[int], masks: Sequence[int], seen: set[tuple[int, int]]
    ) -> list[tuple[int, int]] | None:
        """Returns the pairs of states on two paths over one text, from `one` and `other` to a common state."""
        follow = self._graph.follow

        def moves(pair: tuple[int, int]) -> Iterator[tuple[int, int]]:
            for left in follow[pair[0]]:
                if left in allowed:
                    self._work.spend(len(follow[pair[1]]))
                    for right in follow[pair[1]]:
                        if right in allowed and masks[left] & masks[right]:
                            yield left, right

        return self._search((one, other), moves, lambda pair: pair[0] == pair[1], seen)

    def _polynomial(self, before: frozenset[int], after: frozenset[int]) -> Ambiguity | None:
        masks = self._graph.masks
        self._work.spend(len(before) + len(after))
        if not reduce(or_, [masks[state] for state in before]) & reduce(or_, [masks[state] for state in after]):
            return None
        for start in sorted(before):
            self._work.spend(len(after))
            for end in sorted(after):
                if not masks[start] & masks[end]:
                    continue  # The text leads to both, so both consume its last unit.
                triples = self._crossing_paths(start, end, before, after)
                if triples is not None:
                    pump = [masks[left] & masks[middle] & masks[right] for left, middle, right in triples[1:]]
                    lefts = tuple(left for left, _, _ in triples)
                    rights = tuple(right for _, _, right in triples)
                    hotspot, is_loose = self._locate((lefts, rights))
                    return Ambiguity(AmbiguityGrowth.POLYNOMIAL, start, tuple(pump), end, hotspot, is_loose)
        return None

    def _crossing_paths(
        self, start: int, end: int, before: frozenset[int], after: frozenset[int]
    ) -> list[tuple[int, int, int]] | None:
        """Returns the triples of states on paths over one text: `start` to `start`, `start` to `end`, `end` to
        `end`."""
        follow, masks = self._graph.follow, self._graph.masks

        def moves(triple: tuple[int, int, int]) -> Iterator[tuple[int, int, int]]:
            first, middle, last = triple
            for left in follow[first]:
                if left not in before:
                    continue
                self._work.spend(len(follow[last]))
                for right in follow[last]:
                    both = masks[left] & masks[right] if right in after else 0
                    if both:
                        self._work.spend(len(follow[middle]))
                        for crossing in follow[middle]:
                            if both & masks[crossing]:
                                yield left, crossing, right

        return self._search((start, start, end), moves, lambda triple: triple == (start, end, end), set())

    def _path(self, start: int, end: int, allowed: frozenset[int]) -> list[int] | None:
        """Returns the states after `start` on a shortest path to `end`; None if there is no path."""
        follow = self._graph.follow
        if start == end:
            return []
        found = self._search(
            start,
            lambda state: (other for other in follow[state] if other in allowed),
            lambda state: state == end,
            set(),
        )
        return None if found is None else found[1:]

    def _search(
        self,
        start: Node,
        moves: Callable[[Node], Iterable[Node]],
        is_goal: Callable[[Node], bool],
        seen: set[Node],
    ) -> list[Node] | None:
        """Returns a shortest path from `start` to a goal, both included, over nodes that are not in `seen`, else
        None."""
        came_from: dict[Node, Node] = {}
        layer = [start]
        seen.add(start)
        while layer:
            nodes = []
            for node in layer:
                self._work.spend(_WORK_PER_NODE)
                self._nodes_left -= 1
                if self._nodes_left < 0:
                    raise TooAmbiguous
                for other in moves(node):
                    if other in seen:
                        continue
                    seen.add(other)
                    came_from[other] = node
                    if is_goal(other):
                        path = [other]
                        while path[-1] != start:
                            path.append(came_from[path[-1]])
                        return path[::-1]
                    nodes.append(other)
            layer = nodes
        return None

    def _locate(self, paths: Iterable[tuple[int, ...]]) -> tuple[Span, bool]:
        """Returns the smallest part of the pattern with all states and loops of the paths; whether a loop is loose."""
        graph = self._graph
        spans: list[Span] = []
        is_loose = False
        for path in paths:
            positions = [graph.positions[state] for state in path]
            spans += [graph.spans[position] for position in positions]
            for edge in pairwise(positions):
                for number in graph.closed_by.get(edge, ()):
                    spans.append(graph.loops[number].span)
                    is_loose = is_loose or graph.loops[number].is_loose
        return Span(min(span.start for span in spans), max(span.end for span in spans)), is_loose


def chain_lengths(crossings: Sequence[tuple[int, int]]) -> list[int]:
    """Returns, for each pair of components that one text crosses, the length of the longest chain of pairs through it.

    This is the greatest power of the text's length with which the effort can grow, provided one text serves the whole
    chain.
    """
    before: dict[int, int] = {}
    for one, other in sorted(crossings, key=lambda pair: pair[1]):
        before[other] = max(before.get(other, 1), before.get(one, 1) + 1)
    after: dict[int, int] = {}
    for one, other in sorted(crossings, key=lambda pair: -pair[0]):
        after[one] = max(after.get(one, 1), after.get(other, 1) + 1)
    return [before.get(crossing, 1) + after.get(other, 1) for crossing, other in crossings]
