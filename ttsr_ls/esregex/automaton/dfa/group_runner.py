"""Runs one stream through the states of one group, and counts its repeats."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import reduce
from operator import getitem
from types import MappingProxyType

from ttsr_ls.esregex.automaton.dfa.alphabet import Codes
from ttsr_ls.esregex.automaton.dfa.lazy_dfa import LazyDfa
from ttsr_ls.esregex.automaton.dfa.pattern_group import PatternGroup
from ttsr_ls.esregex.automaton.dfa.table_pool import Table

NOWHERE = 1 << 60
"""A position that no stream reaches."""

MatchReports = list[tuple[int, int]]
"""Positions, each with a match report at it."""

NO_REPORTS: MatchReports = []
"""The reports of most deltas. Never modified."""

_NO_STOPS: Mapping[int, int] = MappingProxyType({})
"""Shared, because most groups have no counters."""

_FIRST_IDLE_CHECK = 32
"""How many units after a factor a group is first checked for being idle; the distance doubles with each check."""


class GroupRunner:
    """The position of a stream in the states of a group. A caller may set `table` as long as no counter stops before.

    `known` is the number of patterns that were known on the stream when the automaton was chosen.
    """

    __slots__ = (
        "can_become_idle",
        "dfa",
        "group",
        "idle_check_at",
        "is_done",
        "is_superset",
        "known",
        "since",
        "started",
        "stop",
        "stops",
        "table",
    )

    def __init__(self, group: PatternGroup, dfa: LazyDfa, table: Table, known_count: int, since: int) -> None:
        self.group = group
        self.dfa = dfa
        self.table = table
        self.known = known_count
        self.since = since
        """The position where the last factor ended."""
        self.started = since
        """The position where the first factor ended."""
        self.idle_check_at = since + _FIRST_IDLE_CHECK
        self.stops: Mapping[int, int] = _NO_STOPS
        """The positions at which the running counters expire."""
        self.stop = NOWHERE
        self.is_done = False
        """Whether all of its patterns are known."""
        self.is_superset = False
        """Whether it may have threads that no match has, so that its reports are uncertain."""
        self.can_become_idle = group.is_anchored or bool(group.lookbacks)
        """Whether the group need not be matched while it has no thread that began before the last unit."""

    def copy(self) -> GroupRunner:
        """Returns a runner at the same position, for another stream with the same text."""
        copy = GroupRunner(self.group, self.dfa, self.table, self.known, self.since)
        copy.idle_check_at, copy.stops, copy.stop = self.idle_check_at, self.stops, self.stop
        copy.is_done, copy.is_superset, copy.started = self.is_done, self.is_superset, self.started
        return copy

    def restart_with_all_threads(self, code: int) -> bool:
        """Continues with all threads that are possible after a unit with this code. Returns False, and does nothing, if
        the group has no such configuration.
        """
        configuration = self.dfa.all_threads(self.dfa.translation.of(code))
        if configuration is None:
            return False
        self.is_superset = True
        self.table = self.dfa.table(configuration)
        return True

    def drop_patterns(self, known: Set[int]) -> None:
        """Continues without the patterns that are known on the stream."""
        self.known = len(known)
        without = self.group.patterns & known
        self.is_done = self.group.is_disabled or len(without) == len(self.group.patterns)
        dfa = self.group.dfa(without)
        if dfa is not self.dfa:
            self.table = dfa.table(dfa.determinizer.without_left_out(self.dfa.state_of(self.table).configuration))
            self.dfa = dfa

    @property
    def candidates(self) -> list[int]:
        """The match reports of patterns that may have become final with the last unit."""
        match_reports = self.dfa.state_of(self.table).match_reports
        if self.is_superset:
            return [min(report, ~report) for report in match_reports]
        return [report for report in match_reports if report < 0]

    @property
    def reports_at_end(self) -> tuple[int, ...]:
        """The match reports of patterns that match, or may match, if the text ends here, except those reported
        before.
        """
        ended = self.dfa.reports_at_end(self.table)
        return tuple([min(report, ~report) for report in ended]) if self.is_superset else ended

    def has_no_older_thread(self, code: int) -> bool:
        """Returns whether no thread began before the last unit, which has this code."""
        return not self.stops and self.dfa.has_no_older_thread(self.table, code)

    def is_idle_after(self, recent: Codes, length: int) -> bool:
        """Returns whether no thread is left that began after a factor. `recent` is the end of the text, which has this
        length."""
        self.idle_check_at = 2 * length - self.since
        if self.stops or self.is_superset or not self.group.lookbacks:
            return False
        first = length - len(recent)
        start = self.group.start(recent, len(recent))
        if start < 1 or first + start < self.since:
            return False
        # No factor ended since, and threads that are older than this do not matter for the next one.
        dfa = self.dfa
        table = dfa.table_after(recent[start - 1])
        for symbol in dfa.translation(recent[start:]):
            table = dfa.next_table(table, symbol)
        return table is self.table

    def feed(self, codes: Codes, position: int, known: Set[int]) -> MatchReports:
        """Reads units from `position` on. Returns the match reports on the way, except those of known patterns."""
        symbols = self.dfa.translation(codes)
        if position + len(symbols) <= self.stop:
            # The fast path: nearly always, no counter expires and all transitions are cached. Then a delta is one loop
            # in C.
            try:
                table = reduce(getitem, symbols, self.table)
            except TypeError:
                # Some transition is not cached, or leads to a report.
                pass
            else:
                if table.__class__ is list:
                    self.table = table
                    return NO_REPORTS
        return self.step(symbols, position, known)

    def step(self, symbols: Codes, position: int, known: Set[int]) -> MatchReports:
        """Does the same as `feed`, unit by unit."""
        reports: MatchReports = []
        dfa, table = self.dfa, self.table
        for offset, symbol in enumerate(symbols, position):
            if self.stop <= offset:
                table = self._expire_counters(table, offset)
            following = table[symbol]
            if following.__class__ is not list:
                following = dfa.next_table(table, symbol)
                if dfa.state_of(following).is_reporting:
                    self.table = following
                    reports += self.process_reports(offset + 1, known)
            table = following
        self.table = table
        return reports

    def process_reports(self, position: int, known: Set[int]) -> MatchReports:
        """Starts the counters that the state reports. Returns the other reports, except those of known patterns."""
        reports: MatchReports = []
        state = self.dfa.state_of(self.table)
        for report in state.match_reports:
            if report not in known:
                reports.append((position, min(report, ~report) if self.is_superset else report))
        if state.counters:
            # One copy for all counters, without a loop over them in Python: there may be thousands.
            stops = {**self.stops}
            for units, counters in state.counters:
                stops.update(dict.fromkeys(counters, position + units))
            self.stops = stops
            self.stop = min(stops.values())
        return reports

    def _expire_counters(self, table: Table, position: int) -> Table:
        # All counters at once: each call builds a state.
        table = self.dfa.expire_counters(table, [counter for counter, stop in self.stops.items() if stop <= position])
        self.stops = {counter: stop for counter, stop in self.stops.items() if stop > position}
        self.stop = min(self.stops.values(), default=NOWHERE)
        return table
