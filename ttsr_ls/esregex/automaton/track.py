"""How a stream goes through the states of one root, or of one leaf alone, with an eye on the clocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import reduce
from operator import getitem, length_hint
from typing import Any, Protocol

from ttsr_ls.esregex.automaton.leaf import AnyLeaf
from ttsr_ls.esregex.automaton.root import Arrival, Root
from ttsr_ls.esregex.automaton.signals import FIRST_CLOCK_SIGNAL, started_clock

NOWHERE = 1 << 60
"""A place that no stream comes to."""

_LONGEST_PIECE = 4096
"""A text is cut into pieces after an arrival, as each arrival copies what is left of its piece."""

_STALE_SIGNALS = 64
_STALE_UNITS = 16 * _STALE_SIGNALS
"""A root that tells this often within so many units what is known already is asked to be silent about it."""

Told = list[tuple[int, int]]
"""Places, and the signals that are told there."""


NOTHING: Told = []
"""What most deltas tell. Never added to."""


class Track(Protocol):
    """A stream's state."""

    @property
    def stops(self) -> dict[int, int]:
        """Where the clocks that run run out."""
        ...

    @property
    def situations(self) -> dict[AnyLeaf, Any]:
        """The situations that the state is made of, by leaf."""
        ...

    @property
    def candidates(self) -> list[int]:
        """The signals of patterns that may have become final just now."""
        ...

    @property
    def ended(self) -> tuple[int, ...]:
        """The signals of patterns that match, or may, if the text ends here, but for those told before."""
        ...

    def copy(self) -> Track:
        """The same place, for another stream."""
        ...

    def hear(self, place: int, known: Set[int]) -> Told:
        """Start the clocks that the state tells to start; gives what else it tells, but for what is known."""
        ...

    def go(self, text: str, place: int, known: Set[int]) -> Told:
        """Move on by a text that starts at a place; gives what is told on the way, but for what is known."""
        ...


class RootTrack:
    """A `Track` through roots. As long as nothing is told before `stop`, `root` may be moved from outside."""

    __slots__ = ("_limits", "_stale", "_stale_since", "_stale_times", "root", "stop", "stops")

    def __init__(self, root: Root, limits: Sequence[int], stops: dict[int, int]) -> None:
        self.root = root
        self._limits = limits
        """How many units each clock of the automaton runs."""
        self.stops = stops
        self.stop = min(stops.values(), default=NOWHERE)
        self._stale: set[int] = set()
        self._stale_times = 0
        self._stale_since = 0

    @property
    def situations(self) -> dict[AnyLeaf, Any]:
        """See `Track`."""
        return self.root.situations

    @property
    def candidates(self) -> list[int]:
        """See `Track`."""
        return [signal for signal in self.root.signals if signal < 0]

    @property
    def ended(self) -> tuple[int, ...]:
        """See `Track`."""
        return self.root.ended

    def copy(self) -> RootTrack:
        """See `Track`."""
        return RootTrack(self.root, self._limits, dict(self.stops))

    def hear(self, place: int, known: Set[int]) -> Told:
        """See `Track`."""
        told, stale = _heard(self.root.signals, place, known, self.stops, self._limits)
        self.stop = min(self.stops.values(), default=NOWHERE)
        if stale:
            self._tire_of(stale, place)
        return told

    def _tire_of(self, stale: list[int], place: int) -> None:
        self._stale.update(stale)
        self._stale_times += 1
        if self._stale_times >= _STALE_SIGNALS:
            if place - self._stale_since < _STALE_UNITS:
                self.root = self.root.silent_about(frozenset(self._stale))
            self._stale.clear()
            self._stale_times, self._stale_since = 0, place

    def go(self, text: str, place: int, known: Set[int]) -> Told:
        """See `Track`."""
        return self._go_on(text, place, place, known)

    def arrive(self, root: Root, text: str, start: int, at: int, known: Set[int]) -> Told:
        """Go on from a root that tells something, at a place, with the rest of a text that has its start elsewhere."""
        self.root = root
        return self.hear(at, known) + self._go_on(text, start, at, known)

    def _go_on(self, text: str, start: int, at: int, known: Set[int]) -> Told:
        told: Told = []
        end = start + len(text)
        while at < end:
            if self.stop <= at:
                for clock in _run_out(self.stops, at):
                    self.root = self.root.without(clock)
                self.stop = min(self.stops.values(), default=NOWHERE)
            upto = min(self.stop, end, at + _LONGEST_PIECE)
            ahead = iter(text[at - start : upto - start])
            try:
                self.root = reduce(getitem, ahead, self.root)
                at = upto
            except Arrival as arrival:
                self.root = arrival.root
                at = upto - length_hint(ahead)
                told += self.hear(at, known)
        return told


class LeafTrack:
    """A `Track` through the situations of one leaf, none of which is kept."""

    __slots__ = ("_classes", "_leaf", "_limits", "_situation", "stops")

    def __init__(
        self,
        leaf: AnyLeaf,
        situation: Any,
        classes: Mapping[str, int],
        limits: Sequence[int],
        stops: dict[int, int],
    ) -> None:
        self._leaf = leaf
        self._situation = situation
        self._classes = classes
        self._limits = limits
        self.stops = stops

    @property
    def situations(self) -> dict[AnyLeaf, Any]:
        """See `Track`."""
        return {self._leaf: self._situation}

    @property
    def candidates(self) -> list[int]:
        """See `Track`."""
        return [signal for signal in self._leaf.dynamics.signals(self._situation) if signal < 0]

    @property
    def ended(self) -> tuple[int, ...]:
        """See `Track`."""
        return self._leaf.dynamics.at_end(self._situation)

    def copy(self) -> LeafTrack:
        """See `Track`."""
        return LeafTrack(self._leaf, self._situation, self._classes, self._limits, dict(self.stops))

    def hear(self, place: int, known: Set[int]) -> Told:
        """See `Track`."""
        signals = self._leaf.dynamics.signals(self._situation)
        return _heard(signals, place, known, self.stops, self._limits)[0] if signals else []

    def go(self, text: str, place: int, known: Set[int]) -> Told:
        """See `Track`."""
        told: Told = []
        leaf, dynamics, classes = self._leaf, self._leaf.dynamics, self._classes
        for at, unit in enumerate(text, place):
            if self.stops and min(self.stops.values()) <= at:
                for clock in _run_out(self.stops, at):
                    self._situation = dynamics.without(self._situation, clock)
            self._situation = dynamics.step(self._situation, leaf.class_key(classes[unit]))
            told += self.hear(at + 1, known)
        return told


def _heard(
    signals: tuple[int, ...], place: int, known: Set[int], stops: dict[int, int], limits: Sequence[int]
) -> tuple[Told, list[int]]:
    """Starts clocks; gives what else is told, apart from what is known, and the latter."""
    told: Told = []
    stale: list[int] = []
    for signal in signals:
        if signal >= FIRST_CLOCK_SIGNAL:
            clock, start = started_clock(signal, place)
            stops[clock] = start + limits[clock]
        elif signal in known:
            stale.append(signal)
        else:
            told.append((place, signal))
    return told, stale


def _run_out(stops: dict[int, int], at: int) -> list[int]:
    """The clocks that run out at a place, or before; they run no more."""
    found = [clock for clock, stop in stops.items() if stop <= at]
    for clock in found:
        del stops[clock]
    return found
