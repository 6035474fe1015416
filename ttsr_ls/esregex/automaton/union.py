"""The automaton over many patterns, and feeding a stream to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import getitem

from ttsr_ls.esregex.automaton.assembly import Assembly, assemble
from ttsr_ls.esregex.automaton.dfa.group_runner import NO_REPORTS, MatchReports
from ttsr_ls.esregex.automaton.dfa.lazy_dfa import LazyDfa
from ttsr_ls.esregex.automaton.dfa.pattern_group import PatternGroup
from ttsr_ls.esregex.automaton.nfa.approximation import Exactness
from ttsr_ls.esregex.automaton.nfa.limits import Limits
from ttsr_ls.esregex.automaton.union_cursor import CandidateMatch, EndMatches, FinalMatch, UnionCursor
from ttsr_ls.esregex.automaton.whole_text_reading import WholeTextCursor, WholeTextReading, read_whole_text
from ttsr_ls.esregex.tree.nodes import Pattern

_PREWARMED_AT_ONCE = 64
_FULL_AFTER_PREWARMING = 0.75
_MAX_PREWARMED = 8_000
"""How many states one call of `prewarm` builds."""

_NONE: frozenset[int] = frozenset()
_NOTHING: tuple[FinalMatch | CandidateMatch, ...] = ()


class UnionAutomaton:
    """Matches many patterns at once. Immutable except for its cache, which all streams share. Not thread-safe."""

    __slots__ = (
        "_assembly",
        "_encode",
        "_evictions",
        "_excess_at",
        "_feed",
        "_is_apart",
        "_kept_chunks",
        "_run",
        "_start",
        "_uncached",
        "_with_same_ends",
        "disabled",
        "exact",
    )

    def __init__(self, patterns: Sequence[Pattern], limits: Limits) -> None:
        self.disabled: frozenset[int] = frozenset()
        """The patterns that needed more work than allowed. They are not reported any more."""
        self._excess_at: dict[int, int] = {}
        """For each group, how many units had been fed when it last called `_handle_excess`."""
        self._uncached: set[int] = set()
        self._assembly = assembly = assemble(patterns, limits, self._handle_excess)
        self._encode = assembly.alphabet.encode
        self._feed = assembly.groups.feed
        self._run = assembly.groups.run
        self._is_apart = not assembly.groups.is_search_fused
        self._kept_chunks = limits.kept_chunks
        self._with_same_ends = _patterns_with(assembly, Exactness.SAME_ENDS) | assembly.plain
        """The patterns that can become final only where a report marks them as candidates."""
        self.exact = _patterns_with(assembly, Exactness.EXACT)
        """The patterns that are reported without candidates, unless the start of one of their parts is unknown, or
        their lookaheads become too many to be distinguished."""
        self._start = self._build_start()
        self._evictions = self._count_evictions()
        """How many evictions there had been when `_start` was built."""

    @staticmethod
    def build(patterns: Sequence[Pattern], limits: Limits | None = None) -> UnionAutomaton:
        """Returns the automaton of some patterns. Reports name a pattern by its index."""
        return UnionAutomaton(patterns, Limits() if limits is None else limits)

    def _build_start(self) -> UnionCursor:
        start = UnionCursor(self._assembly.groups.open())
        start.doubtful = _patterns_with(self._assembly, Exactness.OUTSIDE)
        events = self._report(
            start, [reports for runner in start.runners for reports in runner.process_reports(0, frozenset())]
        )
        for pattern in self._assembly.composites.final_at_start(start.progress):
            start.mark_final(pattern)
        # These candidates are not reported, so their patterns stay doubtful.
        start.doubtful |= frozenset([event.pattern for event in events if isinstance(event, CandidateMatch)])
        return start

    def open(self) -> UnionCursor:
        """Returns the cursor at the start of a stream. A pattern that is final on the empty text is in its `final`;
        `feed` does not report it.
        """
        if self._evictions != self._count_evictions():
            # The states of `_start` may have been evicted. Then each stream would build their successors again.
            self._start = self._build_start()
            self._evictions = self._count_evictions()
        return self._start.copy()

    def _count_evictions(self) -> int:
        return self._assembly.evictor.evictions + self._assembly.groups.evictions

    def prewarm(self, units: str) -> None:
        """Builds the states for texts like `units` in advance.

        Leaves room in the cache, so that the first new states do not evict them.
        """
        evictor = self._assembly.evictor
        self._assembly.groups.build_all()
        limit = evictor.made + _MAX_PREWARMED
        cursor = self.open()
        for start in range(0, len(units), _PREWARMED_AT_ONCE):
            if evictor.fill_level > _FULL_AFTER_PREWARMING or evictor.made > limit:
                break
            self.feed(cursor, units[start : start + _PREWARMED_AT_ONCE])
            if cursor.activity.deferred:
                self._report_settled(
                    cursor, *self._assembly.groups.catch_up(cursor.activity, cursor.length, cursor.known)
                )
        self._assembly.pool.fill()

    def feed(self, cursor: UnionCursor, units: str) -> tuple[FinalMatch | CandidateMatch, ...]:
        """Reads some units. Returns the patterns that became final in them, in order, or that may have."""
        codes = units.encode() if units.isascii() else self._encode(units)
        position = cursor.length
        cursor.length = position + len(units)
        activity = cursor.activity
        fused: object = None
        if activity.fused is not None and activity.known == len(cursor.known):
            # The fast path: the states are nearly always fused and cached. Then a delta is one loop in C.
            run = self._run
            run.rest = rest = iter(codes)
            try:
                fused = reduce(getitem, rest, activity.fused)
            except TypeError:
                fused = None  # Some transition is not cached, or leads to a report.
            if fused.__class__ is list and not (run.ends or activity.active or activity.deferred or self._is_apart):
                activity.fused = fused
                if len(activity.recent) < self._kept_chunks:
                    activity.recent.append(codes)
                else:
                    activity.keep(codes)
                return self._report(cursor, NO_REPORTS) if cursor.doubtful else _NOTHING
        self._assembly.groups.units += cursor.length - cursor.counted
        cursor.counted = cursor.length
        reports, unknown = self._feed(activity, codes, position, cursor.known, fused)
        if activity.deferred or cursor.held or unknown:
            return self._report_settled(cursor, reports, unknown)
        return self._report(cursor, reports) if reports or cursor.doubtful else _NOTHING

    def _report_settled(
        self, cursor: UnionCursor, reports: MatchReports, unknown: Sequence[int]
    ) -> tuple[FinalMatch | CandidateMatch, ...]:
        """Does the same as `_report`, but holds the reports back that come after the first unit that a deferred group
        has not read."""
        if unknown:
            self._mark_doubtful(cursor, unknown)
        activity = cursor.activity
        if activity.backlog > self._assembly.limits.deferred_units:
            # Only one: without it, the others may catch up.
            self._disable_groups(self._assembly.groups.deferred(activity)[:1])
        settled = cursor.settled
        reports = cursor.held + reports
        cursor.held = [item for item in reports if item[0] > settled] if settled < cursor.length else NO_REPORTS
        return self._report(cursor, [item for item in reports if item[0] <= settled])

    def read_whole(self, units: str) -> WholeTextReading | None:
        """Reads a text from its start to its end; returns None if that is only possible as a stream."""
        reading = None if self.disabled else read_whole_text(self._assembly, self._start, units)
        if reading is not None:
            self._assembly.groups.units += len(units)
        return reading

    def open_read(self, reading: WholeTextReading) -> tuple[UnionCursor, tuple[FinalMatch | CandidateMatch, ...]]:
        """Returns the cursor at the end of a text that was read as a whole, and what `feed` would have returned."""
        cursor = WholeTextCursor(self._start, reading)
        return cursor, self._report(cursor, reading.without_repetitions(self._assembly.composites.first_part))

    def finish(self, cursor: UnionCursor) -> tuple[FinalMatch | CandidateMatch, ...]:
        """Reads all that was deferred, because the text ends here. Returns what `feed` does. Patterns for which that
        takes more work than allowed are disabled."""
        activity = cursor.activity
        if not activity.deferred and not cursor.held:
            return _NOTHING
        reports, unknown = self._assembly.groups.catch_up(activity, cursor.length, cursor.known)
        self._disable_groups(self._assembly.groups.deferred(activity))
        activity.deferred.clear()
        activity.backlog = 0
        return self._report_settled(cursor, reports, unknown)

    def unsettled(self, cursor: UnionCursor) -> frozenset[int]:
        """Returns the patterns that may have become final, which is not known yet, because they were deferred."""
        activity = cursor.activity
        if not activity.deferred and not cursor.held:
            return _NONE
        parts = {max(report, ~report) for _, report in cursor.held}
        parts = parts.union(*[group.patterns for group in self._assembly.groups.deferred(activity)], cursor.doubtful)
        return frozenset(self._assembly.composites.patterns_of(parts)) - cursor.final - self.disabled

    def _mark_doubtful(self, cursor: UnionCursor, parts: Iterable[int]) -> None:
        """Marks patterns as doubtful: it is no longer known whether they, or these parts of them, match.

        Each doubtful pattern is searched for at each delta, so patterns beyond the limit are disabled.
        """
        patterns = self._assembly.composites.patterns_of(parts)
        room = max(0, self._assembly.limits.doubtful - len(cursor.doubtful))
        cursor.record((), patterns[:room])
        if patterns[room:]:
            self._disable(patterns[room:])

    def _handle_excess(self, group: PatternGroup, dfa: LazyDfa) -> None:
        """Stops caching the states of a group that built many states for little text. Gives the group up if there are
        too many such groups."""
        limits, since = self._assembly.limits, self._excess_at.get(group.number, 0)
        self._excess_at[group.number] = self._assembly.groups.units
        if self._assembly.groups.units - since >= limits.states_per_group * limits.units_per_state:
            return
        dfa.on_excess = None
        self._uncached.add(group.number)
        dfa.stop_caching()
        if len(self._uncached) <= limits.uncached_groups:
            return
        self._disable_groups([group])

    def _disable_groups(self, groups: Sequence[PatternGroup]) -> None:
        for group in groups:
            group.is_disabled = True
        if groups:
            self._disable(
                [pattern for group in groups for pattern in self._assembly.composites.patterns_of(group.patterns)]
            )

    def _disable(self, patterns: Iterable[int]) -> None:
        self.disabled = self.disabled.union(patterns)
        self._assembly.groups.stop_matching(self.disabled)

    def _report(self, cursor: UnionCursor, reports: MatchReports) -> tuple[FinalMatch | CandidateMatch, ...]:
        """Returns the new matches in the match reports of some positions, and the candidates among the doubtful
        patterns."""
        final: dict[int, int] = {}
        candidates: dict[int, int] = {}
        since: dict[int, int] = {}
        doubtful: set[int] = set()
        first_part = self._assembly.composites.first_part
        for position, original in sorted(reports):
            report: int | None = original
            if original in cursor.progress.done or max(original, ~original) in cursor.doubtful:
                # The pattern of a held report may have become doubtful since.
                continue
            if original >= first_part:
                report = self._assembly.composites.record_final_part(cursor.progress, original, position)
                if report is not None and report < 0:
                    candidates[~report] = position
                    since[~report] = -1
                    continue
            elif ~original >= first_part:
                pattern = self._assembly.composites.pattern_of(~original)
                doubtful |= {pattern} if pattern is not None else set()
                continue
            if report is None:
                continue
            if report in candidates or report in doubtful:
                # It is final here, but may have been so before.
                candidates[report] = position
            elif report >= 0:
                if report not in cursor.final:
                    final.setdefault(report, position)
            elif ~report in self._with_same_ends:
                candidates[~report] = position
                since.setdefault(~report, position - 1)
            else:
                doubtful.add(~report)
                since.setdefault(~report, position - 1)
        cursor.record(final, doubtful)
        candidates.update(dict.fromkeys(cursor.doubtful, cursor.settled))
        matches: list[FinalMatch | CandidateMatch] = [FinalMatch(item, position) for item, position in final.items()]
        matches += [
            CandidateMatch(item, position, since.get(item, -1))
            for item, position in sorted(candidates.items())
            if item not in cursor.final
        ]
        return tuple(matches)

    def matches_if_ended(self, cursor: UnionCursor) -> EndMatches:
        """Returns the patterns that match, or may match, if the text ends here."""
        ended = cursor.reports_at_end
        if ended or self._assembly.composites:
            composites, first_part = self._assembly.composites, self._assembly.composites.first_part
            of_composites = composites.matches_at_end(cursor.progress, ended, cursor.length)
            # The other reports are of parts, including unused ones, and of counters that start at the end.
            ended = [report for report in ended if ~first_part < report < first_part] + of_composites
        positive = [report for report in ended if report >= 0]
        matching = cursor.final.union(positive) if positive else cursor.final
        candidates = cursor.doubtful.union([~report for report in ended if report < 0])
        unsettled = self.unsettled(cursor)
        if unsettled:
            matching = cursor.final.union(matching - unsettled)
            candidates -= unsettled
        return EndMatches(matching, candidates - matching, unsettled)


def _patterns_with(assembly: Assembly, exactness: Exactness) -> frozenset[int]:
    return frozenset([index for index, each in enumerate(assembly.exactness) if each is exactness])
