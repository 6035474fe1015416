"""The position of a stream in a union automaton, and the events on the way."""

from __future__ import annotations

from collections.abc import Collection, Set

from msgspec import Struct

from ttsr_ls.esregex.automaton.dfa.group_runner import NO_REPORTS, GroupRunner, MatchReports
from ttsr_ls.esregex.automaton.nfa.composites import Progress
from ttsr_ls.esregex.automaton.prefilters.active_groups import ActiveGroups


class UnionCursor:
    """The position of a stream, and the patterns that became final on it. Owned by one stream; cheap to copy."""

    __slots__ = ("activity", "counted", "doubtful", "final", "held", "known", "length", "progress")

    def __init__(self, activity: ActiveGroups) -> None:
        self.activity = activity
        self.length = 0
        """The number of units that were fed."""
        self.counted = 0
        """The number of units that the automaton has counted in its total over all streams."""
        self.final: frozenset[int] = frozenset()
        """The patterns that are final: they match some prefix of the fed text, and no continuation can undo that."""
        self.doubtful: frozenset[int] = frozenset()
        """The patterns for which the automaton cannot decide any more whether they are final."""
        self.progress = Progress()
        self.held: MatchReports = NO_REPORTS
        """Reports after a position that some group has not read yet. They are held back so that reports come in
        order."""
        self.known: Set[int] = frozenset()
        """The patterns, and parts of composites, that are not reported any more."""

    def copy(self) -> UnionCursor:
        """Returns a cursor at the same position, for another stream with the same text."""
        copy = UnionCursor(self.activity.copy())
        copy.length = copy.counted = self.length
        copy.final, copy.doubtful = self.final, self.doubtful
        copy.progress = self.progress.copy()
        copy.held = self.held
        copy.record((), ())
        return copy

    @property
    def settled(self) -> int:
        """The length of the prefix whose reports are all known."""
        return self.length - self.activity.backlog

    @property
    def work(self) -> int:
        """The work of the last units that were fed one by one, beyond look-ups."""
        return self.activity.limits.feed_work - self.activity.work

    @property
    def runners(self) -> tuple[GroupRunner, ...]:
        """The positions of the stream in the active groups."""
        return self.activity.runners

    @property
    def reports_at_end(self) -> list[int]:
        """The match reports of the patterns that match, or may match, if the text ends here."""
        runners = self.runners
        ended = [report for runner in runners for report in runner.reports_at_end]
        # A candidate that was not final here may still match.
        return ended + [report for runner in runners for report in runner.candidates]

    def mark_final(self, pattern: int) -> None:
        """Marks a pattern as final, so that it is not reported any more. The automaton or an exact search found
        that.
        """
        self.record((pattern,), ())

    def record(self, final: Collection[int], doubtful: Collection[int]) -> None:
        """Adds patterns that became final and patterns that became doubtful. Parts of composites are marked as done."""
        # Most streams have none of these and share the empty set: each empty set takes 200 bytes.
        if final:
            self.final = self.final.union(final)
        if doubtful:
            self.doubtful = self.doubtful.union(doubtful)
        if self.doubtful and self.final:
            self.doubtful -= self.final
        done = self.progress.done
        if self.doubtful:
            # The automaton cannot decide anything more about these.
            self.known = self.final.union(done, self.doubtful)
        else:
            self.known = self.final.union(done) if self.final and done else self.final or done


class FinalMatch(Struct, frozen=True):
    """A pattern became final. `offset` is the length, in units, of the shortest prefix on which it is final."""

    pattern: int
    offset: int


class CandidateMatch(Struct, frozen=True):
    """A pattern may have become final, at the latest on the prefix of length `offset`.

    It is not final if its final form does not match that prefix. If no earlier candidate of the pattern was reported,
    it is not final on the prefix of length `since` either; -1 if that is unknown.
    """

    pattern: int
    offset: int
    since: int = -1


class EndMatches(Struct, frozen=True):
    """The patterns that match, and those that may match, if the text ends here."""

    matching: frozenset[int]
    candidates: frozenset[int]
    unsettled: frozenset[int] = frozenset()
    """The patterns for which this is not known yet, because the automaton deferred them."""
