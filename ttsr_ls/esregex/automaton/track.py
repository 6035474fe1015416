"""How a stream goes through one root: from state to state, with an eye on the clocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import getitem, length_hint

from ttsr_ls.esregex.automaton.product import Arrival, Root
from ttsr_ls.esregex.automaton.signals import FIRST_CLOCK_SIGNAL, started_clock

NEVER = 1 << 60
"""A place that no stream comes to."""


_LONGEST_PIECE = 4096
"""The rest of a text is cut into pieces, as each arrival copies what is left of its piece."""


class Track:
    """A stream's state at one root. `stop` is the place where the next clock runs out, at the earliest."""

    __slots__ = ("_limits", "_stops", "root", "stop")

    def __init__(self, root: Root, limits: Sequence[int]) -> None:
        self.root = root
        self._limits = limits
        """How many units each clock of the automaton runs."""
        self._stops: dict[int, int] = {}
        self.stop = NEVER

    def copy(self) -> Track:
        """The same place, for another stream."""
        track = Track(self.root, self._limits)
        track._stops = dict(self._stops)
        track.stop = self.stop
        return track

    def hear(self, place: int) -> list[int]:
        """Start the clocks that the state tells to start; gives what else it tells."""
        told = []
        for signal in self.root.signals:
            if signal < FIRST_CLOCK_SIGNAL:
                told.append(signal)
            else:
                clock, start = started_clock(signal, place)
                self._stops[clock] = start + self._limits[clock]
        self.stop = min(self._stops.values(), default=NEVER)
        return told

    def go(self, text: str, place: int) -> list[tuple[int, int]]:
        """Move on by a text that starts at a place; gives what is told on the way, with the places where it is."""
        return self._go_on(text, place, place)

    def arrive(self, root: Root, ahead: Iterator[str], text: str, end: int) -> list[tuple[int, int]]:
        """Go on from a root that tells something, with the rest of `text`, which `ahead` has, up to the place `end`."""
        self.root = root
        at = end - length_hint(ahead)
        told = [(at, signal) for signal in self.hear(at)]
        return told + self._go_on(text, end - len(text), at)

    def _go_on(self, text: str, start: int, at: int) -> list[tuple[int, int]]:
        told: list[tuple[int, int]] = []
        end = start + len(text)
        while at < end:
            if self.stop <= at:
                self._run_out(at)
            upto = min(self.stop, end, at + _LONGEST_PIECE)
            ahead = iter(text[at - start : upto - start])
            try:
                self.root = reduce(getitem, ahead, self.root)
                at = upto
            except Arrival as arrival:
                self.root = arrival.root
                at = upto - length_hint(ahead)
                told += [(at, signal) for signal in self.hear(at)]
        return told

    def _run_out(self, at: int) -> None:
        for clock in [clock for clock, stop in self._stops.items() if stop <= at]:
            del self._stops[clock]
            self.root = self.root.without(clock)
        self.stop = min(self._stops.values(), default=NEVER)
