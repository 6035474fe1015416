"""How a stream goes through the states of one root, or of one leaf alone, with an eye on the clocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import reduce
from operator import getitem, length_hint
from typing import Any, Protocol

from ttsr_ls.esregex.automaton.leaf import AnyLeaf
from ttsr_ls.esregex.automaton.root import Roots, Table, root_of
from ttsr_ls.esregex.automaton.signals import FIRST_CLOCK_SIGNAL, started_clock

NOWHERE = 1 << 60
"""A place that no stream comes to."""

_LONGEST_PIECE = 4096
"""A text is cut into pieces, as what is left of its piece is copied wherever a way is not known."""

_SHORT_PIECE = 64
"""Up to here it costs less to look at unit after unit than to find out where a way was not known."""

_STALE_SIGNALS = 64
_STALE_UNITS = 16 * _STALE_SIGNALS
"""A root that tells this often within so many units what is known already is asked to be silent about it."""

Told = list[tuple[int, int]]
"""Places, and the signals that are told there."""


NOTHING: Told = []
"""What most deltas tell. Never added to."""

_NONE: frozenset[int] = frozenset()
"""One for all: each other empty set takes 200 bytes."""


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
    """A `Track` through roots. As long as nothing is told before `stop`, `table` may be moved from outside."""

    __slots__ = ("_limits", "_roots", "_stale", "_stale_since", "_stale_times", "stop", "stops", "table")

    def __init__(self, roots: Roots, table: Table, limits: Sequence[int], stops: dict[int, int]) -> None:
        self._roots = roots
        self.table = table
        self._limits = limits
        """How many units each clock of the automaton runs."""
        self.stops = stops
        self.stop = min(stops.values(), default=NOWHERE)
        self._stale = _NONE
        self._stale_times = 0
        self._stale_since = 0

    @property
    def situations(self) -> dict[AnyLeaf, Any]:
        """See `Track`."""
        return self._roots.situations(self.table)

    @property
    def candidates(self) -> list[int]:
        """See `Track`."""
        return [signal for signal in root_of(self.table).signals if signal < 0]

    @property
    def ended(self) -> tuple[int, ...]:
        """See `Track`."""
        return self._roots.ended(self.table)

    def copy(self) -> RootTrack:
        """See `Track`."""
        return RootTrack(self._roots, self.table, self._limits, self.stops.copy())

    def hear(self, place: int, known: Set[int]) -> Told:
        """See `Track`."""
        signals = root_of(self.table).signals
        if not signals:
            return []
        told, stale = _heard(signals, place, known, self.stops, self._limits)
        self.stop = min(self.stops.values(), default=NOWHERE)
        if stale:
            self._tire_of(stale, place)
        return told

    def _tire_of(self, stale: list[int], place: int) -> None:
        self._stale = self._stale.union(stale)
        self._stale_times += 1
        if self._stale_times >= _STALE_SIGNALS:
            if place - self._stale_since < _STALE_UNITS:
                self._roots = self._roots.silent_about(self._stale)
                self.table = self._roots.adopt(self.table)
            self._stale, self._stale_times, self._stale_since = _NONE, 0, place

    def go(self, text: str, place: int, known: Set[int]) -> Told:
        """See `Track`."""
        told: Told = []
        at, end = place, place + len(text)
        while at < end:
            if self.stop <= at:
                for clock in _run_out(self.stops, at):
                    self.table = self._roots.without(self.table, clock)
                self.stop = min(self.stops.values(), default=NOWHERE)
            upto = min(self.stop, end, at + _LONGEST_PIECE)
            at += self._pass(text[at - place : upto - place])
            if at < upto:
                self.table = self._roots.after(self.table, text[at - place])
                at += 1
                told += self.hear(at, known)
        return told

    def _pass(self, text: str) -> int:
        """Move on as far as the tables know the way; gives how many units that is."""
        if len(text) > _SHORT_PIECE:
            ahead = iter(text)
            try:
                self.table = reduce(getitem, ahead, self.table)
                return len(text)
            except KeyError:
                text = text[: len(text) - length_hint(ahead) - 1]
                self.table = reduce(getitem, text, self.table)
                return len(text)
        table = self.table
        for passed, unit in enumerate(text):
            following = table.get(unit)
            if following is None:
                self.table = table
                return passed
            table = following
        self.table = table
        return len(text)


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
        return LeafTrack(self._leaf, self._situation, self._classes, self._limits, self.stops.copy())

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
