"""The automaton over many patterns, and how a stream of text goes through it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import getitem

from ttsr_ls.esregex.automaton.approximation import Exactness
from ttsr_ls.esregex.automaton.assembly import Assembly, assemble
from ttsr_ls.esregex.automaton.composites import Progress
from ttsr_ls.esregex.automaton.cursor import Candidate, Cursor, Ended, Final
from ttsr_ls.esregex.automaton.limits import Limits
from ttsr_ls.esregex.automaton.product import Arrival
from ttsr_ls.esregex.automaton.track import Track
from ttsr_ls.esregex.nodes import Pattern

_NOTHING: tuple[Final | Candidate, ...] = ()


class UnionAutomaton:
    """Immutable but for its cache, which all streams share."""

    __slots__ = ("_composites", "_representatives", "_start", "_with_same_ends", "exact")

    def __init__(self, assembly: Assembly) -> None:
        self._representatives = assembly.alphabet.representatives
        self._composites = assembly.composites
        self._with_same_ends = _those(assembly, Exactness.SAME_ENDS)
        self.exact = _those(assembly, Exactness.EXACT)
        """The patterns of which candidates are told only when their lookaheads become too many to be told apart."""
        tracks = tuple([Track(root.initial, assembly.clock_limits) for root in assembly.roots])
        self._start = Cursor(tracks, 0, frozenset(), _those(assembly, Exactness.OUTSIDE), Progress())
        events = self._tell(self._start, [(0, signal) for track in tracks for signal in track.hear(0)])
        self._start.final |= frozenset(self._composites.at_start(self._start.progress))
        # Nobody hears of these, so they stay in doubt.
        self._start.doubtful |= frozenset([event.pattern for event in events if isinstance(event, Candidate)])

    @staticmethod
    def build(patterns: Sequence[Pattern], limits: Limits | None = None) -> UnionAutomaton:
        """The automaton of some patterns, which are then known by their numbers."""
        return UnionAutomaton(assemble(patterns, Limits() if limits is None else limits))

    def open(self) -> Cursor:
        """The place of a stream that has no text yet. What is final on none is told by it, not by `feed`."""
        return self._start.copy()

    def feed(self, cursor: Cursor, units: str) -> tuple[Final | Candidate, ...]:
        """Move on by some text, in units; tells which patterns became final on the way, in order, or may have."""
        text = units if units.isascii() else units.translate(self._representatives)
        end = cursor.length + len(units)
        told: list[tuple[int, int]] = []
        for track in cursor.tracks:
            if track.stop < end:
                told += track.go(text, cursor.length)
                continue
            ahead = iter(text)
            try:
                track.root = reduce(getitem, ahead, track.root)
            except Arrival as arrival:
                told += track.arrive(arrival.root, ahead, text, end)
        cursor.length = end
        if not told and not cursor.doubtful:
            return _NOTHING
        return self._tell(cursor, told)

    def _tell(self, cursor: Cursor, told: list[tuple[int, int]]) -> tuple[Final | Candidate, ...]:
        """What is new in the signals that were told at some places, and the doubtful patterns."""
        found: list[Final | Candidate] = []
        candidates: dict[int, int] = {}
        first_part = self._composites.first_part
        for place, told_signal in sorted(told):
            signal: int | None = told_signal
            if told_signal >= first_part:
                signal = self._composites.arrive(cursor.progress, told_signal, place)
                if signal is not None and signal < 0:
                    candidates[~signal] = place
                    continue
            elif ~told_signal >= first_part:
                pattern = self._composites.pattern_of(~told_signal)
                cursor.doubtful |= {pattern} if pattern is not None else set()
                continue
            if signal is None:
                continue
            if signal in candidates:
                # It is final here, but may have been so at the place of the candidate.
                candidates[signal] = place
            elif signal >= 0:
                if signal not in cursor.final:
                    cursor.settle(signal)
                    found.append(Final(signal, place))
            elif ~signal in self._with_same_ends:
                candidates[~signal] = place
            else:
                cursor.doubtful |= {~signal}
        cursor.doubtful -= cursor.final
        candidates.update(dict.fromkeys(cursor.doubtful, cursor.length))
        found += [Candidate(each, place) for each, place in sorted(candidates.items()) if each not in cursor.final]
        return tuple(found)

    def if_ended(self, cursor: Cursor) -> Ended:
        """The patterns that match, or may, if no text comes any more."""
        ended = [signal for track in cursor.tracks for signal in track.root.ended]
        # A candidate that was not final here may still match.
        ended += [signal for track in cursor.tracks for signal in track.root.signals if signal < 0]
        if self._composites:
            first_part = self._composites.first_part
            of_composites = self._composites.ended(cursor.progress, ended, cursor.length)
            ended = [signal for signal in ended if ~first_part < signal < first_part] + of_composites
        matching = cursor.final.union([signal for signal in ended if signal >= 0])
        candidates = cursor.doubtful.union([~signal for signal in ended if signal < 0])
        return Ended(matching, candidates - matching)


def _those(assembly: Assembly, exactness: Exactness) -> frozenset[int]:
    return frozenset([index for index, how in enumerate(assembly.exactness) if how is exactness])
