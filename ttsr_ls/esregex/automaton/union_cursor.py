"""A stream's place in an automaton, and what happens on the way."""

from __future__ import annotations

from collections.abc import Collection, Set

from msgspec import Struct

from ttsr_ls.esregex.automaton.dfa.group_runner import GroupRunner
from ttsr_ls.esregex.automaton.nfa.composites import Progress
from ttsr_ls.esregex.automaton.prefilters.active_groups import ActiveGroups


class UnionCursor:
    """Where a stream is, and which patterns became final on it for good. Owned by one stream; cheap to copy."""

    __slots__ = ("activity", "counted", "doubtful", "final", "known", "length", "progress")

    def __init__(self, activity: ActiveGroups) -> None:
        self.activity = activity
        self.length = 0
        """How many units were fed."""
        self.counted = 0
        """How many of them the automaton has counted as text of all streams."""
        self.final: frozenset[int] = frozenset()
        """The patterns that match some prefix of what was fed for good."""
        self.doubtful: frozenset[int] = frozenset()
        """The patterns of which the automaton can no longer tell whether they are."""
        self.progress = Progress()
        self.known: Set[int] = frozenset()
        """The patterns, and parts of patterns, of which nothing more has to be reported."""

    def copy(self) -> UnionCursor:
        """The same place, for another stream that had the same text."""
        copy = UnionCursor(self.activity.copy())
        copy.length = copy.counted = self.length
        copy.final, copy.doubtful = self.final, self.doubtful
        copy.progress = self.progress.copy()
        copy.note((), ())
        return copy

    @property
    def runners(self) -> tuple[GroupRunner, ...]:
        """The positions of the stream in the active groups."""
        self.activity.separate()
        return tuple(self.activity.active.values())

    def settle(self, pattern: int) -> None:
        """The pattern is final, as the automaton reported or as was found out otherwise: it is reported no more."""
        self.note((pattern,), ())

    def note(self, final: Collection[int], doubtful: Collection[int]) -> None:
        """So many more patterns are final, or may be for good; or parts are done."""
        # Most streams have none of these, and share their sets: each empty one takes 200 bytes.
        if final:
            self.final = self.final.union(final)
        if doubtful:
            self.doubtful = self.doubtful.union(doubtful)
        if self.doubtful and self.final:
            self.doubtful -= self.final
        done = self.progress.done
        if self.doubtful:
            # Nothing more can be found out of these.
            self.known = self.final.union(done, self.doubtful)
        else:
            self.known = self.final.union(done) if self.final and done else self.final or done


class FinalMatch(Struct, frozen=True):
    """A pattern became final: `offset` is the length, in units, of the least prefix on which it is."""

    pattern: int
    offset: int


class CandidateMatch(Struct, frozen=True):
    """A pattern may have become final, on a prefix of length `offset` at the latest.

    It has not if its final form does not match that prefix. If no candidate of the pattern was reported before, it is
    not final on the prefix of length `since` either; -1 where that is not known."""

    pattern: int
    offset: int
    since: int = -1


class EndMatches(Struct, frozen=True):
    """The patterns that match, and those that may, if no text comes any more."""

    matching: frozenset[int]
    candidates: frozenset[int]
