"""Which leaves a stream goes through together, and which alone.

A leaf that makes ever new states would keep the roots that it is joined to from ever being known. It is moved out: its
threads are then stepped unit by unit, without a cache, at a cost that is bounded and the same for every unit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from ttsr_ls.esregex.automaton.leaf import AnyLeaf
from ttsr_ls.esregex.automaton.pair_track import PairTrack
from ttsr_ls.esregex.automaton.product import Machine, Product
from ttsr_ls.esregex.automaton.root import RootProduct
from ttsr_ls.esregex.automaton.root_pool import RootPool
from ttsr_ls.esregex.automaton.track import LeafTrack, RootTrack, Track
from ttsr_ls.esregex.automaton.upkeep import Upkeep


class Surroundings(Struct, frozen=True):
    """What layouts of one automaton share."""

    roots: Upkeep
    pool: RootPool
    inner: Upkeep
    class_of: Callable[[int], int]
    classes: int
    parts_per_state: int
    clock_limits: Sequence[int]
    """How many units each clock runs."""


class Layout(Struct, frozen=True):
    """The leaves of each root, in order, and those that are stepped alone."""

    surroundings: Surroundings
    groups: tuple[tuple[AnyLeaf, ...], ...]
    alone: tuple[AnyLeaf, ...]
    roots: tuple[RootProduct, ...]

    @staticmethod
    def of(surroundings: Surroundings, groups: Sequence[tuple[AnyLeaf, ...]], alone: Sequence[AnyLeaf]) -> Layout:
        """The layout with these groups; empty ones are left out."""
        kept = tuple([group for group in groups if group])
        return Layout(surroundings, kept, tuple(alone), tuple([_joined(group, surroundings) for group in kept]))

    def moving_out(self, leaf: AnyLeaf) -> Layout:
        """The layout in which a leaf is stepped alone."""
        leaf.dynamics.spare()
        without = self.leaving_out(leaf)
        return Layout(without.surroundings, without.groups, (*self.alone, leaf), without.roots)

    def leaving_out(self, leaf: AnyLeaf) -> Layout:
        """The layout without a leaf."""
        for root, group in zip(self.roots, self.groups, strict=True):
            if leaf in group:
                root.drop()
        groups = [tuple([each for each in group if each is not leaf]) for group in self.groups]
        return Layout.of(self.surroundings, groups, self.alone)

    def forget(self) -> None:
        """Forget the joined states."""
        self.surroundings.roots.drop()
        self.surroundings.inner.drop()

    def start(self) -> tuple[Track, ...]:
        """The tracks of a stream that has no text yet."""
        return self._tracks({leaf: leaf.dynamics.initial for leaf in self.leaves}, {})

    def continued(self, tracks: Sequence[Track]) -> tuple[Track, ...]:
        """Tracks of another layout, as they are in this one."""
        situations: dict[AnyLeaf, Any] = {}
        stops: dict[int, int] = {}
        for track in tracks:
            situations |= track.situations
            stops |= track.stops
        return self._tracks(situations, stops)

    @property
    def leaves(self) -> list[AnyLeaf]:
        """All leaves."""
        return [leaf for group in self.groups for leaf in group] + list(self.alone)

    def _tracks(self, situations: dict[AnyLeaf, Any], stops: dict[int, int]) -> tuple[Track, ...]:
        limits, class_of = self.surroundings.clock_limits, self.surroundings.class_of
        of_roots = [
            RootTrack(root.pick(situations), limits, _stops_of(group, stops))
            for root, group in zip(self.roots, self.groups, strict=True)
        ]
        tracks: list[Track] = [PairTrack(*of_roots)] if len(of_roots) == 2 else [*of_roots]
        for leaf in self.alone:
            tracks.append(LeafTrack(leaf, situations[leaf], class_of, limits, _stops_of((leaf,), stops)))
        return tuple(tracks)


def _stops_of(leaves: Sequence[AnyLeaf], stops: dict[int, int]) -> dict[int, int]:
    if not stops:
        return {}
    return {clock: stop for clock, stop in stops.items() if any(clock in leaf.clocks for leaf in leaves)}


def _joined(leaves: Sequence[AnyLeaf], surroundings: Surroundings) -> RootProduct:
    size = surroundings.parts_per_state
    machines: list[Machine] = list(leaves)
    while len(machines) > size:
        machines = [
            Product(machines[first : first + size], surroundings.inner, surroundings.classes)
            for first in range(0, len(machines), size)
        ]
    return RootProduct(machines, surroundings.roots, surroundings.pool, surroundings.class_of)
