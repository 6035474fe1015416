"""A group of patterns that are matched together.

A pattern that is final on a stream is left out on that stream from then on. So a group has an automaton for each set of
remaining patterns, built on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ttsr_ls.esregex.automaton.dfa.alphabet import Codes
from ttsr_ls.esregex.automaton.dfa.lazy_dfa import LazyDfa
from ttsr_ls.esregex.automaton.dfa.lookback import Lookback

READ_AT_ONCE = 16
"""How many units a group reads before its work is checked."""
MAX_READ_AT_ONCE_WITH_LOOKAROUNDS = 4
"""The same for patterns with lookarounds of more than one unit, whose steps may take a quarter of a millisecond."""
_WORK_AT_ONCE = 300
_MAX_DFAS = 24
"""For how many sets of patterns a group keeps automata."""


class PatternGroup:
    """Some patterns with one lazy DFA. With `lookbacks`, they are only matched from near an occurrence of one of their
    factors.
    """

    __slots__ = (
        "_dfas",
        "_distance",
        "_make",
        "_on_excess",
        "is_anchored",
        "is_disabled",
        "lookbacks",
        "most_at_once",
        "number",
        "patterns",
        "read_at_once",
        "work",
    )

    def __init__(
        self,
        number: int,
        patterns: frozenset[int],
        lookbacks: Sequence[Lookback],
        is_anchored: bool,
        make: Callable[[frozenset[int]], LazyDfa],
        on_excess: Callable[[PatternGroup, LazyDfa], None],
    ) -> None:
        self.number = number
        self.patterns = patterns
        self.lookbacks = lookbacks
        self.is_anchored = is_anchored
        """Whether all matches start where the text does."""
        self.is_disabled = False
        """Whether its patterns needed more work than allowed, and are not matched any more."""
        self.work = 0
        """The work of matching it so far, beyond look-ups."""
        self.read_at_once = self.most_at_once = READ_AT_ONCE
        """How many units it reads before its work is checked: fewer after much work, and at most `most_at_once`."""
        distances = [lookback.distance for lookback in lookbacks]
        known_distances = [distance for distance in distances if distance is not None]
        self._distance = max(known_distances) if known_distances and known_distances == distances else None
        """The greatest distance from the start of a match to the end of its factor; None if it depends on the text."""
        self._make = make
        self._on_excess = on_excess
        self._dfas: dict[frozenset[int], LazyDfa] = {}

    def dfa(self, without: frozenset[int]) -> LazyDfa:
        """Returns the automaton without the patterns `without`; builds it on first use."""
        dfa = self._dfas.get(without)
        if dfa is None:
            if len(self._dfas) >= _MAX_DFAS:
                # Not the first one: it is mostly that of all patterns, which each new stream needs.
                self._dfas.pop(list(self._dfas)[1]).clear()
            dfa = self._dfas[without] = self._make(without)
            dfa.on_excess = self._report_excess
        return dfa

    def start(self, recent: Codes, end: int) -> int:
        """Returns the first position at which a match may start whose factor ends at `end`; 0 or less if the match may
        start earlier than `recent`.
        """
        if self._distance is not None:
            return end - self._distance
        if len(self.lookbacks) == 1:
            return self.lookbacks[0].start(recent, end)
        return min([lookback.start(recent, end) for lookback in self.lookbacks])

    @property
    def reads_lightly(self) -> bool:
        """True if its states are mostly cached."""
        return self.read_at_once == self.most_at_once

    def record_work(self, work: int, units: int) -> None:
        """Records the work of some units."""
        self.work += work
        if work > _WORK_AT_ONCE:
            self.read_at_once = max(1, min(self.read_at_once, units * _WORK_AT_ONCE // work))
        elif self.read_at_once < self.most_at_once:
            self.read_at_once += 1

    def _report_excess(self, dfa: LazyDfa) -> None:
        self._on_excess(self, dfa)
