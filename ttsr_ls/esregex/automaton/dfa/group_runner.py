"""How a stream goes through the states of one group, with an eye on the counters."""

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
"""A place that no stream comes to."""

MatchReports = list[tuple[int, int]]
"""Places, and the match reports that are reported there."""

NOTHING: MatchReports = []
"""What most deltas tell. Never added to."""

_NO_STOPS: Mapping[int, int] = MappingProxyType({})
"""One for all: most groups have no counters."""

_FIRST_REST = 32
"""How many units after a factor it is looked whether a group is needed any longer, and after twice as many again."""


class GroupRunner:
    """Where a stream is in the states of a group. As long as no counter stops before, `table` may be moved from
    outside.

    `known` is the number of patterns that were known on the stream when the automaton was chosen.
    """

    __slots__ = (
        "dfa",
        "group",
        "is_done",
        "is_superset",
        "known",
        "may_rest",
        "rest_at",
        "since",
        "stop",
        "stops",
        "table",
    )

    def __init__(self, group: PatternGroup, dfa: LazyDfa, table: Table, known: int, since: int) -> None:
        self.group = group
        self.dfa = dfa
        self.table = table
        self.known = known
        self.since = since
        """Where the last factor ended."""
        self.rest_at = since + _FIRST_REST
        self.stops: Mapping[int, int] = _NO_STOPS
        """Where the counters that run run out."""
        self.stop = NOWHERE
        self.is_done = False
        """Whether all of its patterns are known."""
        self.is_superset = False
        """Whether it may have threads that no match has: then what it tells is not certain."""
        self.may_rest = group.is_anchored or bool(group.lookbacks)
        """Whether it is not needed while it is in the state of having seen nothing."""

    def copy(self) -> GroupRunner:
        """The same for another stream."""
        copy = GroupRunner(self.group, self.dfa, self.table, self.known, self.since)
        copy.rest_at, copy.stops, copy.stop = self.rest_at, self.stops, self.stop
        copy.is_done, copy.is_superset = self.is_done, self.is_superset
        return copy

    def take_everything(self, code: int) -> bool:
        """Go on with all threads that there may be after a unit with this code, if that can be reported."""
        configuration = self.dfa.everything(self.dfa.translation.of(code))
        if configuration is None:
            return False
        self.is_superset = True
        self.table = self.dfa.table(configuration)
        return True

    def leave_out(self, known: Set[int]) -> None:
        """Go on without the patterns that are known."""
        self.known = len(known)
        without = self.group.patterns & known
        self.is_done = self.group.is_given_up or len(without) == len(self.group.patterns)
        dfa = self.group.dfa(without)
        if dfa is not self.dfa:
            self.table = dfa.table(dfa.determinizer.limited(self.dfa.state(self.table).configuration))
            self.dfa = dfa

    @property
    def candidates(self) -> list[int]:
        """The match reports of patterns that may have become final just now."""
        match_reports = self.dfa.state(self.table).match_reports
        if self.is_superset:
            return [min(report, ~report) for report in match_reports]
        return [report for report in match_reports if report < 0]

    @property
    def ended(self) -> tuple[int, ...]:
        """The match reports of patterns that match, or may, if the text ends here, but for those reported before."""
        ended = self.dfa.ended(self.table)
        return tuple([min(report, ~report) for report in ended]) if self.is_superset else ended

    def is_idle(self, code: int) -> bool:
        """Whether no thread is left of what was before the last unit, which has this code."""
        if self.stops:
            return False
        dfa = self.dfa
        return bool(dfa.state(self.table).configuration == dfa.blank(dfa.translation.of(code)))

    def may_rest_after(self, recent: Codes, length: int) -> bool:
        """Whether no thread is left of what came after a factor, where `recent` ends a text of this length."""
        self.rest_at = 2 * length - self.since
        if self.stops or self.is_superset or not self.group.lookbacks:
            return False
        first = length - len(recent)
        start = self.group.start(recent, len(recent))
        if start < 1 or first + start < self.since:
            return False
        # No factor ended since, and threads that are older than this do not matter for the next one.
        dfa = self.dfa
        table = dfa.table(dfa.blank(dfa.translation.of(recent[start - 1])))
        for symbol in dfa.translation(recent[start:]):
            table = dfa.after(table, symbol)
        return table is self.table

    def passes_over(self, codes: Codes) -> bool:
        """Whether nothing is reported, counted, or left of some units, as far as the tables know."""
        dfa = self.dfa
        if dfa.has_counters:
            return False
        symbols = dfa.translation(codes)
        try:
            table = reduce(getitem, symbols, self.table)
        except TypeError:
            return False
        return table.__class__ is list and bool(dfa.state(table).configuration == dfa.blank(symbols[-1]))

    def go(self, codes: Codes, place: int, known: Set[int]) -> MatchReports:
        """Read on by units that start at a place; gives what is reported on the way, but for what is known."""
        symbols = self.dfa.translation(codes)
        if place + len(symbols) <= self.stop:
            # Nearly always, and nearly always the tables know the whole way. Then all of it is one loop in C.
            try:
                table = reduce(getitem, symbols, self.table)
            except TypeError:
                # There was no table on the way.
                pass
            else:
                if table.__class__ is list:
                    self.table = table
                    return NOTHING
        return self.step(symbols, place, known)

    def step(self, symbols: Codes, place: int, known: Set[int]) -> MatchReports:
        """Does the same as `go`, unit by unit."""
        reports: MatchReports = []
        dfa, table = self.dfa, self.table
        for at, symbol in enumerate(symbols, place):
            if self.stop <= at:
                table = self._run_out(table, at)
            following = table[symbol]
            if following.__class__ is not list:
                following = dfa.after(table, symbol)
                if dfa.state(following).is_reporting:
                    self.table = following
                    reports += self.hear(at + 1, known)
            table = following
        self.table = table
        return reports

    def hear(self, place: int, known: Set[int]) -> MatchReports:
        """Starts the counters that the state's reports name; returns the other, new reports."""
        reports: MatchReports = []
        state = self.dfa.state(self.table)
        for report in state.match_reports:
            if report not in known:
                reports.append((place, min(report, ~report) if self.is_superset else report))
        if state.counters:
            # One copy for all counters: there may be hundreds.
            self.stops = {**self.stops, **{counter: place + units for counter, units in state.counters}}
            self.stop = min(self.stops.values())
        return reports

    def _run_out(self, table: Table, at: int) -> Table:
        for counter in [counter for counter, stop in self.stops.items() if stop <= at]:
            table = self.dfa.without(table, counter)
        self.stops = {counter: stop for counter, stop in self.stops.items() if stop > at}
        self.stop = min(self.stops.values(), default=NOWHERE)
        return table
