"""A group of patterns that are matched together.

A pattern that is final on a stream is left out on that stream from then on. So a group has an automaton for each set of
remaining patterns, built on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ttsr_ls.esregex.automaton.dfa.alphabet import Codes
from ttsr_ls.esregex.automaton.dfa.lazy_dfa import LazyDfa
from ttsr_ls.esregex.automaton.dfa.lookback import Lookback

_MAX_DFAS = 24
"""For how many sets of patterns a group keeps automata."""


class PatternGroup:
    """Some patterns with one lazy DFA. With `lookbacks`, they are only matched from near an occurrence of one of their
    factors.
    """

    __slots__ = ("_dfas", "_make", "_on_excess", "is_anchored", "is_given_up", "lookbacks", "number", "patterns")

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
        self.is_given_up = False
        """Whether its patterns cost too much to be matched any longer."""
        self._make = make
        self._on_excess = on_excess
        self._dfas: dict[frozenset[int], LazyDfa] = {}

    def dfa(self, without: frozenset[int]) -> LazyDfa:
        """Returns the automaton without the patterns `without`; builds it on first use."""
        dfa = self._dfas.get(without)
        if dfa is None:
            if len(self._dfas) >= _MAX_DFAS:
                # That of all patterns is mostly the first one, and needed by each new stream.
                self._dfas.pop(list(self._dfas)[1]).clear()
            dfa = self._dfas[without] = self._make(without)
            dfa.on_excess = self._look_at
        return dfa

    def start(self, recent: Codes, end: int) -> int:
        """Returns the first position at which a match may start whose factor ends at `end`; 0 or less if the match may
        start earlier than `recent`.
        """
        if len(self.lookbacks) == 1:
            return self.lookbacks[0].start(recent, end)
        return min([lookback.start(recent, end) for lookback in self.lookbacks])

    def _look_at(self, dfa: LazyDfa) -> None:
        self._on_excess(self, dfa)
