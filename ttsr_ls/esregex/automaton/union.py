"""The automaton over many patterns, and how a stream of text goes through it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import getitem

from ttsr_ls.esregex.automaton.approximation import Exactness
from ttsr_ls.esregex.automaton.assembly import Assembly, assemble
from ttsr_ls.esregex.automaton.cursor import Candidate, Cursor, Ended, Final
from ttsr_ls.esregex.automaton.leaf import AnyLeaf
from ttsr_ls.esregex.automaton.limits import Limits
from ttsr_ls.esregex.automaton.track import NOTHING, Told
from ttsr_ls.esregex.nodes import Pattern

_PREWARMED_AT_ONCE = 4096
_FULL_BEFORE_PREWARMING, _FULL_AFTER_PREWARMING = 0.4, 0.75

_COST_OF_A_STATE = 4
"""That of a leaf, beside that of a root."""

_NOTHING: tuple[Final | Candidate, ...] = ()


class UnionAutomaton:
    """Immutable but for its cache, which all streams share. Not for use by several threads at once."""

    __slots__ = (
        "_assembly",
        "_excess_at",
        "_flushes",
        "_layout",
        "_representatives",
        "_start",
        "_units",
        "_with_same_ends",
        "exact",
        "given_up",
        "on_given_up",
    )

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._representatives = assembly.alphabet.representatives
        self._with_same_ends = _those(assembly, Exactness.SAME_ENDS)
        self.exact = _those(assembly, Exactness.EXACT)
        """The patterns of which no candidates are told, unless it is not known where a part of them started, or their
        lookaheads become too many to be told apart."""
        self.given_up: frozenset[int] = frozenset()
        """The patterns that cost too much to be watched any longer: nothing is told of them any more."""
        self.on_given_up: Callable[[], None] | None = None
        """Called when there are more of these."""
        self._flushes = 0
        self._units = 0
        self._excess_at: dict[AnyLeaf, int] = {}
        """How much text there had been when a leaf last had made so many states that it was looked at."""
        self._layout = assembly.layout
        for leaf in assembly.layout.leaves:
            leaf.on_excess = self._look_at
        self._start = start = Cursor(assembly.layout)
        start.doubtful = _those(assembly, Exactness.OUTSIDE)
        events = self._tell(start, [told for track in start.tracks for told in track.hear(0, frozenset())])
        for pattern in assembly.composites.at_start(start.progress):
            start.settle(pattern)
        # Nobody hears of these, so they stay in doubt.
        start.doubtful |= frozenset([event.pattern for event in events if isinstance(event, Candidate)])

    @staticmethod
    def build(patterns: Sequence[Pattern], limits: Limits | None = None) -> UnionAutomaton:
        """The automaton of some patterns, which are then known by their numbers."""
        return UnionAutomaton(assemble(patterns, Limits() if limits is None else limits))

    def open(self) -> Cursor:
        """The place of a stream that has no text yet. What is final on none is told by it, not by `feed`."""
        surroundings = self._layout.surroundings
        flushes = surroundings.root_upkeep.flushes + surroundings.state_upkeep.flushes
        if self._start.layout is not self._layout or flushes != self._flushes:
            # From a forgotten state on, all streams would make states that nobody ever forgets.
            self._start.move_to(self._layout)
            self._flushes = flushes
        return self._start.copy()

    @property
    def states_made(self) -> int:
        """How many states text has made so far, of all kinds, those that cost most counted several times."""
        surroundings = self._layout.surroundings
        return surroundings.root_upkeep.made + _COST_OF_A_STATE * surroundings.state_upkeep.made

    def prewarm(self, units: str) -> None:
        """Make the states that a text like those to come needs, before they come.

        Leaves room, so that they are not forgotten with the first new ones.
        """
        roots = self._layout.surroundings.root_upkeep
        if roots.fullness > _FULL_BEFORE_PREWARMING:
            self._layout.forget()
        cursor = self.open()
        for start in range(0, len(units), _PREWARMED_AT_ONCE):
            if roots.fullness > _FULL_AFTER_PREWARMING:
                break
            self.feed(cursor, units[start : start + _PREWARMED_AT_ONCE])
        self._layout.roots.expect(units.translate(self._representatives))
        self._layout.surroundings.pool.fill()

    def feed(self, cursor: Cursor, units: str) -> tuple[Final | Candidate, ...]:
        """Move on by some text, in units; tells which patterns became final on the way, in order, or may have."""
        text = units if units.isascii() else units.translate(self._representatives)
        place = cursor.length
        cursor.length = end = place + len(text)
        joined, told = cursor.joined, NOTHING
        if end <= joined.stop:
            # Nearly always, and nearly always the tables know the whole way. Then all of it is one loop in C.
            try:
                joined.table = reduce(getitem, text, joined.table)
            except KeyError:
                told = self._go(cursor, text, place)
        else:
            told = self._go(cursor, text, place)
        if cursor.alone:
            told = told + [each for track in cursor.alone for each in track.go(text, place, cursor.known)]
        if not told and not cursor.doubtful:
            return _NOTHING
        return self._tell(cursor, told)

    def _go(self, cursor: Cursor, text: str, place: int) -> Told:
        self._units += cursor.length - cursor.counted
        cursor.counted = cursor.length
        if cursor.layout is not self._layout:
            cursor.move_to(self._layout)
        return cursor.joined.go(text, place, cursor.known)

    def _look_at(self, leaf: AnyLeaf) -> None:
        """A leaf has made many states: too many, unless much text went through it meanwhile."""
        limits, since = self._assembly.limits, self._excess_at.get(leaf, 0)
        self._excess_at[leaf] = self._units
        if self._units - since < limits.states_per_leaf * limits.units_per_state:
            leaf.on_excess = None
            self._move_out(leaf)

    def _move_out(self, leaf: AnyLeaf) -> None:
        if len(self._layout.alone) < self._assembly.limits.leaves_alone:
            self._layout = self._layout.moving_out(leaf)
            return
        self._layout = self._layout.leaving_out(leaf)
        composites = self._assembly.composites
        patterns = [composites.pattern_of(each) if each >= composites.first_part else each for each in leaf.patterns]
        self.given_up |= frozenset([pattern for pattern in patterns if pattern is not None])
        if self.on_given_up is not None:
            self.on_given_up()

    def _tell(self, cursor: Cursor, told: Told) -> tuple[Final | Candidate, ...]:
        """What is new in the signals that were told at some places, and the doubtful patterns."""
        final: dict[int, int] = {}
        candidates: dict[int, int] = {}
        since: dict[int, int] = {}
        doubtful: set[int] = set()
        first_part = self._assembly.composites.first_part
        for place, told_signal in sorted(told):
            signal: int | None = told_signal
            if told_signal in cursor.progress.done:
                continue
            if told_signal >= first_part:
                signal = self._assembly.composites.arrive(cursor.progress, told_signal, place)
                if signal is not None and signal < 0:
                    candidates[~signal] = place
                    since[~signal] = -1
                    continue
            elif ~told_signal >= first_part:
                pattern = self._assembly.composites.pattern_of(~told_signal)
                doubtful |= {pattern} if pattern is not None else set()
                continue
            if signal is None:
                continue
            if signal in candidates or signal in doubtful or signal in cursor.doubtful:
                # It is final here, but may have been so before.
                candidates[signal] = place
            elif signal >= 0:
                if signal not in cursor.final:
                    final.setdefault(signal, place)
            elif ~signal in self._with_same_ends:
                candidates[~signal] = place
                since.setdefault(~signal, place - 1)
            else:
                doubtful.add(~signal)
                since.setdefault(~signal, place - 1)
        cursor.note(final, doubtful)
        candidates.update(dict.fromkeys(cursor.doubtful, cursor.length))
        found: list[Final | Candidate] = [Final(each, place) for each, place in final.items()]
        found += [
            Candidate(each, place, since.get(each, -1))
            for each, place in sorted(candidates.items())
            if each not in cursor.final
        ]
        return tuple(found)

    def if_ended(self, cursor: Cursor) -> Ended:
        """The patterns that match, or may, if no text comes any more."""
        ended = [signal for track in cursor.tracks for signal in track.ended]
        # A candidate that was not final here may still match.
        ended += [signal for track in cursor.tracks for signal in track.candidates]
        if ended or self._assembly.composites:
            composites, first_part = self._assembly.composites, self._assembly.composites.first_part
            of_composites = composites.ended(cursor.progress, ended, cursor.length)
            # The others are of parts, also of those that are not needed after all, and of counts that start at the end.
            ended = [signal for signal in ended if ~first_part < signal < first_part] + of_composites
        positive = [signal for signal in ended if signal >= 0]
        matching = cursor.final.union(positive) if positive else cursor.final
        candidates = cursor.doubtful.union([~signal for signal in ended if signal < 0])
        return Ended(matching, candidates - matching)


def _those(assembly: Assembly, exactness: Exactness) -> frozenset[int]:
    return frozenset([index for index, how in enumerate(assembly.exactness) if how is exactness])
