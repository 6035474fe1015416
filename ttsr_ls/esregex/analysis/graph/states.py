"""Turns positions with relations into states that know the kind of the unit that they consume (see `graph`)."""

from __future__ import annotations

from ttsr_ls.esregex.analysis.graph.atoms import AtomPartition
from ttsr_ls.esregex.analysis.graph.graph import AtomGraph, GraphLoop
from ttsr_ls.text import Span

Ways = dict[tuple[int, int], int]
"""The number of ways, 1 or 2 (more than one), by position and by the relation that must hold there."""


class Positions:
    """The facts about the positions of a pattern that a lowering collects."""

    __slots__ = ("closed_by", "edges", "is_cut", "is_exact", "loops", "masks", "spans")

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.masks: list[int] = []
        self.loops: list[GraphLoop] = []
        self.closed_by: dict[tuple[int, int], tuple[int, ...]] = {}
        # The ways from one position to another, by relation.
        self.edges: dict[tuple[int, int], dict[int, int]] = {}
        self.is_exact = True
        self.is_cut = False


def graph_of(atoms: AtomPartition, positions: Positions, first: Ways, last: Ways, empty: int) -> AtomGraph:
    """Returns the graph over some positions. A match can begin with `first` and end with `last`."""
    states = _States(atoms, positions.masks)
    return AtomGraph(
        atoms=atoms,
        spans=tuple(positions.spans),
        loops=tuple(positions.loops),
        closed_by=positions.closed_by,
        positions=tuple(states.positions),
        masks=tuple(states.masks),
        follow=states.follow(positions.edges),
        entries=states.entries(first),
        accepts=states.accepts(last),
        empty=empty,
        is_exact=positions.is_exact,
        is_cut=positions.is_cut,
    )


class _States:
    """The states of each position, one for each kind of unit that it can consume."""

    def __init__(self, atoms: AtomPartition, position_masks: list[int]) -> None:
        self._kind_count = atoms.kind_count
        self.positions: list[int] = []
        self.masks: list[int] = []
        self._kinds: list[int] = []
        self._of: list[list[int]] = []
        for position, mask in enumerate(position_masks):
            states = []
            for kind in range(1, self._kind_count):
                of_kind = mask & atoms.kind_masks[kind]
                if of_kind:
                    states.append(len(self.masks))
                    self.positions.append(position)
                    self.masks.append(of_kind)
                    self._kinds.append(kind)
            self._of.append(states)

    def follow(self, edges: dict[tuple[int, int], dict[int, int]]) -> tuple[dict[int, int], ...]:
        follow: list[dict[int, int]] = [{} for _ in self.masks]
        for (before, after), ways_under in edges.items():
            for state in self._of[before]:
                row = self._kinds[state] * self._kind_count
                for other in self._of[after]:
                    bit = row + self._kinds[other]
                    ways = sum([ways for relation, ways in ways_under.items() if relation >> bit & 1])
                    if ways:
                        follow[state][other] = min(2, ways)
        return tuple(follow)

    def entries(self, first: Ways) -> tuple[dict[int, int], ...]:
        entries: list[dict[int, int]] = [{} for _ in range(self._kind_count)]
        for (position, relation), ways in first.items():
            for state in self._of[position]:
                for kind, entry in enumerate(entries):
                    if relation >> kind * self._kind_count + self._kinds[state] & 1:
                        entry[state] = min(2, entry.get(state, 0) + ways)
        return tuple(entries)

    def accepts(self, last: Ways) -> tuple[int, ...]:
        accepts = [0] * len(self.masks)
        row = (1 << self._kind_count) - 1
        for position, relation in last:
            for state in self._of[position]:
                accepts[state] |= relation >> self._kinds[state] * self._kind_count & row
        return tuple(accepts)
