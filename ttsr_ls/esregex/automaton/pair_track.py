"""How a stream goes through two roots at once: one loop over the units for both costs less than one for each."""

from __future__ import annotations

from collections.abc import Set
from operator import length_hint
from typing import Any

from ttsr_ls.esregex.automaton.leaf import AnyLeaf
from ttsr_ls.esregex.automaton.root import Arrival
from ttsr_ls.esregex.automaton.track import NOTHING, RootTrack, Told


class PairTrack:
    """A `Track` of two."""

    __slots__ = ("_first", "_second")

    def __init__(self, first: RootTrack, second: RootTrack) -> None:
        self._first = first
        self._second = second

    @property
    def stops(self) -> dict[int, int]:
        """See `Track`."""
        return self._first.stops | self._second.stops

    @property
    def situations(self) -> dict[AnyLeaf, Any]:
        """See `Track`."""
        return self._first.situations | self._second.situations

    @property
    def candidates(self) -> list[int]:
        """See `Track`."""
        return self._first.candidates + self._second.candidates

    @property
    def ended(self) -> tuple[int, ...]:
        """See `Track`."""
        return self._first.ended + self._second.ended

    def copy(self) -> PairTrack:
        """See `Track`."""
        return PairTrack(self._first.copy(), self._second.copy())

    def hear(self, place: int, known: Set[int]) -> Told:
        """See `Track`."""
        return self._first.hear(place, known) + self._second.hear(place, known)

    def go(self, text: str, place: int, known: Set[int]) -> Told:
        """See `Track`."""
        first, second = self._first, self._second
        end = place + len(text)
        if first.stop < end or second.stop < end:
            return first.go(text, place, known) + second.go(text, place, known)
        one, other = first.root, second.root
        ahead = iter(text)
        try:
            for unit in ahead:
                one = one[unit]
                other = other[unit]
        except Arrival as arrival:
            at = end - length_hint(ahead)
            if arrival.left is one:
                # The second one has not seen the unit yet.
                second.root = other
                told = first.arrive(arrival.root, text, place, at, known)
                return told + second.go_on(text, place, at - 1, known)
            first.root = one
            told = second.arrive(arrival.root, text, place, at, known)
            return told + first.go_on(text, place, at, known)
        first.root, second.root = one, other
        return NOTHING
