"""Finds the match reports of a text that is known as a whole, without a stream. Most texts have none.

The factor search and the groups without factors read the text in one loop in C, which goes on where factors end. Each
group with a factor is then run from there until it is idle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from operator import getitem
from typing import Any, cast

from msgspec import Struct

from ttsr_ls.esregex.automaton.dfa.alphabet import Codes
from ttsr_ls.esregex.automaton.dfa.cache_evictor import CacheEvictor
from ttsr_ls.esregex.automaton.dfa.group_runner import MatchReports
from ttsr_ls.esregex.automaton.dfa.lazy_dfa import LazyDfa
from ttsr_ls.esregex.automaton.dfa.pattern_group import PatternGroup
from ttsr_ls.esregex.automaton.dfa.table_pool import Table, TablePool
from ttsr_ls.esregex.automaton.nfa.limits import Limits
from ttsr_ls.esregex.automaton.prefilters.factor_occurrence import FactorOccurrence
from ttsr_ls.esregex.automaton.prefilters.factor_search import FactorSearch
from ttsr_ls.esregex.automaton.prefilters.group_start import start_runner

_NONE: frozenset[int] = frozenset()
_READ_AT_ONCE = 32
"""How many units a group reads before it is checked for being idle; twice as many each time."""
_MIN_UNITS_PER_TABLE = 16
"""Texts are not read in this way any more if a table was built more often than once in this many units."""
_MAX_PARTS = 6
_WORK_OF_TABLE = 4
_WORK_OF_OCCURRENCE = 2
_UNITS_PER_WORK = 8
"""A text may take one unit of work more for each of so many units."""


class WholeTextReports(Struct, frozen=True):
    """The match reports of a text, in any order, and those of the patterns that match, or may match, at its end."""

    reports: MatchReports
    at_end: list[int]


class WholeTexts:
    """Reads texts that are known as a whole. The states are those of the factor search and of all groups without
    factors, fused."""

    __slots__ = (
        "_by_factor",
        "_codes",
        "_dfas",
        "_evictor",
        "_groups",
        "_is_possible",
        "_limits",
        "_max_work",
        "_pool",
        "_search",
        "_tables",
        "_units",
        "run",
    )

    def __init__(
        self,
        groups: Sequence[PatternGroup],
        by_factor: Sequence[Sequence[FactorOccurrence]],
        search: FactorSearch,
        codes: int,
        pool: TablePool,
        evictor: CacheEvictor,
        limits: Limits,
    ) -> None:
        """`codes` is the number of codes of the alphabet."""
        self._groups = [group for group in groups if not group.lookbacks]
        self._by_factor, self._search, self._codes = by_factor, search, codes
        self._pool, self._evictor, self._limits = pool, evictor, limits
        self._is_possible = len(self._groups) < _MAX_PARTS
        self._dfas: list[LazyDfa] = []
        self._tables: dict[tuple[int, ...], Table] = {}
        self._units = self._max_work = 0
        self.run = _Run()

    def read(self, codes: Codes) -> WholeTextReports | None:
        """Returns the match reports of a text, which are those that a stream of it has; None if that would take too
        much work."""
        try:
            return self._read(codes)
        except _UndecidedError:
            return None

    def _read(self, codes: Codes) -> WholeTextReports:
        run, start = self.run, self._start()
        self._units += len(codes)
        self._max_work = self._evictor.work + self._limits.feed_work + len(codes) // _UNITS_PER_WORK
        last: object = reduce(getitem, run.start(codes), start)
        if isinstance(last, _Unbuilt):
            last = self.build(last.table, codes[-1])
        if isinstance(last, _Event):
            run.events.append((0, last))
            last = last.table
        assert isinstance(last, list)
        parts = last[self._codes + 1 :]
        found = WholeTextReports([], [])
        for dfa, part in zip(self._dfas, parts, strict=True):
            found.at_end.extend(dfa.reports_at_end(part))
            # A candidate that was not final here may still match.
            found.at_end.extend([report for report in dfa.state_of(part).match_reports if report < 0])
        read: dict[int, int] = {}
        """How far each group has read."""
        evictor, length = self._evictor, len(codes)
        for left, event in run.events:
            end = length - left
            if event.reports:
                found.reports.extend([(end, report) for report in event.reports])
            for occurrences in event.occurrences:
                evictor.work += _WORK_OF_OCCURRENCE * len(occurrences)
                if evictor.work > self._max_work:
                    raise _UndecidedError
                for occurrence in occurrences:
                    number = occurrence.group.number
                    if (not read or read.get(number, 0) < end) and occurrence.is_needed_in(codes, end):
                        read[number] = self._read_group(occurrence.group, end, found)
        return found

    def _read_group(self, group: PatternGroup, end: int, found: WholeTextReports) -> int:
        """Runs a group one of whose factors ends at `end` until it is idle, and adds its reports. Returns how far it
        read."""
        codes = self.run.codes
        started = start_runner(group, codes, group.start(codes, end), len(codes), _NONE)
        if started is None:
            return end
        runner, position = started
        assert runner is not None
        runner.process_reports(position, _NONE)
        at_once = end - position + _READ_AT_ONCE
        while True:
            chunk = codes[position : position + at_once]
            # No match ends before its factor does.
            found.reports.extend([item for item in runner.feed(chunk, position, _NONE) if item[0] >= end])
            position += len(chunk)
            at_once *= 2
            if runner.has_no_older_thread(codes[position - 1]):
                return position
            if position == len(codes):
                found.at_end.extend([*runner.reports_at_end, *runner.candidates])
                return position
            self._check_work()

    def _check_work(self) -> None:
        if self._evictor.work > self._max_work:
            raise _UndecidedError

    def _start(self) -> Table:
        """Returns the state before any text."""
        if len(self._tables) > self._limits.fused_tables:
            self._is_possible = self._units > _MIN_UNITS_PER_TABLE * len(self._tables)
            self._free_tables()
        if not self._dfas:
            self._dfas = [group.dfa(_NONE) for group in self._groups]
            self._is_possible &= not any(dfa.state_of(dfa.initial).is_reporting for dfa in self._dfas)
        if not self._is_possible or not all(dfa.is_cached for dfa in self._dfas):
            raise _UndecidedError
        return self._table((self._search.root, *[dfa.initial for dfa in self._dfas]))

    def build(self, table: Table, code: int) -> Table | _Event:
        """Builds the transition from a state with a code."""
        self._evictor.work += _WORK_OF_TABLE
        self._check_work()
        search, *parts = table[self._codes :]
        following, factors = self._search.after(search, code)
        tables: list[Table] = [following]
        reports: tuple[int, ...] = ()
        for dfa, part in zip(self._dfas, parts, strict=True):
            tables.append(dfa.next_table(part, dfa.translation.of(code)))
            state = dfa.state_of(tables[-1])
            if state.counters:
                raise _UndecidedError
            reports += state.match_reports
        target = self._table(tuple(tables))
        if factors or reports:
            occurrences = [self._by_factor[factor] for factor in sorted(factors)]
            event = table[code] = _Event(self.run, target, occurrences, reports)
            return event
        table[code] = target
        return target

    def _table(self, parts: tuple[Table, ...]) -> Table:
        # The table keeps its parts alive, so their identities stay unique.
        key = tuple(map(id, parts))
        table = self._tables.get(key)
        if table is None:
            table = self._tables[key] = self._pool.acquire()
            table += [_Unbuilt(self, table)] * self._codes
            table += parts
        return table

    def _free_tables(self) -> None:
        for table in self._tables.values():
            # Tables refer to each other, so only this frees them.
            table.clear()
            self._pool.release(table)
        self._tables.clear()
        self._units = 0


class _UndecidedError(Exception):
    """A text cannot be read in this way, or that would take too much work."""


class _Run:
    """One text while it is read."""

    __slots__ = ("add_event", "codes", "count_left", "events")

    def __init__(self) -> None:
        self.codes: Codes = b""
        self.events: list[tuple[int, _Event]] = []
        """The events, each with the number of units after it."""

    def start(self, codes: Codes) -> Iterator[int]:
        """Starts a text. Returns the iterator that reads it."""
        rest: Any = iter(codes)
        self.codes, self.events = codes, []
        # Bound once for all events of the text.
        self.count_left: Callable[[], int] = rest.__length_hint__
        """Returns the number of units that were not read yet."""
        self.add_event = self.events.append
        return cast(Iterator[int], rest)


class _Event:
    """A transition with which factors end, or after which there are match reports. It continues as its table does."""

    __slots__ = ("_run", "occurrences", "reports", "table")

    def __init__(
        self, run: _Run, table: Table, occurrences: Sequence[Sequence[FactorOccurrence]], reports: Sequence[int]
    ) -> None:
        self._run = run
        self.table, self.occurrences, self.reports = table, occurrences, reports

    def __getitem__(self, code: int) -> object:
        """Returns the transition of the table. `code` is that of the unit after the event."""
        run = self._run
        run.add_event((run.count_left() + 1, self))
        return self.table[code]


class _Unbuilt:
    """A transition of a table that was not needed yet."""

    __slots__ = ("_texts", "table")

    def __init__(self, texts: WholeTexts, table: Table) -> None:
        self._texts, self.table = texts, table

    def __getitem__(self, code: int) -> object:
        """Builds the transition. `code` is that of the unit after it."""
        run = self._texts.run
        before = run.codes[-2 - run.count_left()]
        return self._texts.build(self.table, before)[code]
