"""Which leaves a stream goes through together, and which alone.

A leaf that makes ever new states would keep the roots that it is joined to from ever being known. It is moved out: its
threads are then stepped unit by unit, without a cache, at a cost that is bounded and the same for every unit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from ttsr_ls.esregex.automaton.ground import Grounds
from ttsr_ls.esregex.automaton.leaf import AnyLeaf
from ttsr_ls.esregex.automaton.root import Roots
from ttsr_ls.esregex.automaton.table_pool import TablePool
from ttsr_ls.esregex.automaton.track import LeafTrack, RootTrack, Track
from ttsr_ls.esregex.automaton.upkeep import Upkeep

Tracks = tuple[RootTrack, tuple[LeafTrack, ...]]
"""A stream's states: that of the leaves that are joined, and of those that are stepped alone."""


class Surroundings(Struct, frozen=True):
    """What layouts of one automaton share."""

    root_upkeep: Upkeep
    pool: TablePool
    state_upkeep: Upkeep
    classes: Mapping[str, int]
    """Those of all units of a text."""
    clock_limits: Sequence[int]
    """How many units each clock runs."""


class Layout(Struct, frozen=True):
    """The leaves that are joined, in order, and those that are stepped alone."""

    surroundings: Surroundings
    joined: tuple[AnyLeaf, ...]
    alone: tuple[AnyLeaf, ...]
    roots: Roots

    @staticmethod
    def of(surroundings: Surroundings, joined: Sequence[AnyLeaf], alone: Sequence[AnyLeaf]) -> Layout:
        """The layout with these leaves."""
        grounds = Grounds(joined)
        roots = Roots(grounds, surroundings.root_upkeep, surroundings.pool, surroundings.classes)
        surroundings.state_upkeep.store(grounds.forget)
        surroundings.state_upkeep.store(roots.drop)
        return Layout(surroundings, tuple(joined), tuple(alone), roots)

    def moving_out(self, leaf: AnyLeaf) -> Layout:
        """The layout in which a leaf is stepped alone."""
        leaf.dynamics.spare()
        return self._without(leaf, (*self.alone, leaf))

    def leaving_out(self, leaf: AnyLeaf) -> Layout:
        """The layout without a leaf."""
        return self._without(leaf, self.alone)

    def _without(self, leaf: AnyLeaf, alone: Sequence[AnyLeaf]) -> Layout:
        self.roots.drop()
        return Layout.of(self.surroundings, [each for each in self.joined if each is not leaf], alone)

    def forget(self) -> None:
        """Forget the roots."""
        self.surroundings.root_upkeep.drop()

    def start(self) -> Tracks:
        """The tracks of a stream that has no text yet."""
        return self._tracks({leaf: leaf.dynamics.initial for leaf in self.leaves}, {})

    def continued(self, tracks: Sequence[Track]) -> Tracks:
        """Tracks of another layout, as they are in this one."""
        situations: dict[AnyLeaf, Any] = {}
        stops: dict[int, int] = {}
        for track in tracks:
            situations |= track.situations
            stops |= track.stops
        return self._tracks(situations, stops)

    @property
    def leaves(self) -> tuple[AnyLeaf, ...]:
        """All leaves."""
        return self.joined + self.alone

    def _tracks(self, situations: dict[AnyLeaf, Any], stops: dict[int, int]) -> Tracks:
        limits, classes = self.surroundings.clock_limits, self.surroundings.classes
        alone = [LeafTrack(leaf, situations[leaf], classes, limits, _stops_of((leaf,), stops)) for leaf in self.alone]
        return RootTrack(self.roots, self.roots.pick(situations), limits, _stops_of(self.joined, stops)), tuple(alone)


def _stops_of(leaves: Sequence[AnyLeaf], stops: dict[int, int]) -> dict[int, int]:
    if not stops:
        return {}
    return {clock: stop for clock, stop in stops.items() if any(clock in leaf.clocks for leaf in leaves)}
