"""Selects the groups of patterns that are matched on a stream: those with an occurrence of a required factor, and those
without factors.

One search finds all factors. When a factor ends, its group becomes active: its automaton starts at the first position
where a match with this factor may start, and reads until it is in the state that it would have without any text before
the last unit. Its reports are exact. So patterns whose factors do not occur cost nothing, and the states of different
groups do not multiply.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import reduce
from operator import getitem

from ttsr_ls.esregex.automaton.dfa.alphabet import Codes
from ttsr_ls.esregex.automaton.dfa.group_runner import NO_REPORTS, GroupRunner, MatchReports
from ttsr_ls.esregex.automaton.dfa.pattern_group import PatternGroup
from ttsr_ls.esregex.automaton.dfa.table_pool import Table, TablePool
from ttsr_ls.esregex.automaton.nfa.limits import Limits
from ttsr_ls.esregex.automaton.prefilters.factor_occurrence import FactorOccurrence
from ttsr_ls.esregex.automaton.prefilters.factor_search import FactorSearch
from ttsr_ls.esregex.automaton.prefilters.fusion import FusedStates, Fusion

_NONE: frozenset[int] = frozenset()


class ActiveGroups:
    """The active groups of a stream, the state of its factor search, and its latest text."""

    __slots__ = ("active", "fused", "fused_states", "known", "limits", "recent", "table", "unneeded")

    def __init__(self, table: Table, limits: Limits) -> None:
        self.limits = limits
        self.fused: Table | None = None
        """The fused state of the search and all active groups, if they are fused now; see `unfuse`."""
        self.fused_states: FusedStates | None = None
        self.known = 0
        """How many patterns were known when they were fused."""
        self.active: dict[int, GroupRunner] = {}
        """By the number of the group."""
        self.table = table
        self.unneeded = _NONE
        """The factors that occurred although none of their patterns is matched any more."""
        self.recent: list[Codes] = []
        """At least the last `Limits.kept_units` units of the text, or all of it."""

    def copy(self) -> ActiveGroups:
        """Returns the same state, for another stream."""
        self.unfuse()
        copy = ActiveGroups(self.table, self.limits)
        copy.unneeded = self.unneeded
        copy.fused, copy.fused_states, copy.known = self.fused, self.fused_states, self.known
        copy.active = {number: runner.copy() for number, runner in self.active.items()}
        copy.recent = self.recent.copy()
        return copy

    def unfuse(self) -> None:
        """Sets the tables of the factor search and of all groups from the fused state, if there is one."""
        if self.fused is not None:
            assert self.fused_states is not None
            self.table, *tables = self.fused_states.parts(self.fused)
            for runner, table in zip(self.active.values(), tables, strict=True):
                runner.table = table

    def keep(self, codes: Codes) -> None:
        """Appends codes to `recent`, and removes the oldest ones that are not needed any more."""
        if len(self.recent) >= self.limits.kept_chunks:
            self.recent = [_joined(self.recent)[-self.limits.kept_units :]]
        self.recent.append(codes)


class PatternGroups:
    """The groups of an automaton, and which factors activate each of them."""

    __slots__ = ("_by_factor", "_fusion", "_groups", "_limits", "_search")

    def __init__(
        self,
        groups: Sequence[PatternGroup],
        by_factor: Sequence[Sequence[FactorOccurrence]],
        search: FactorSearch,
        codes: int,
        pool: TablePool,
        limits: Limits,
    ) -> None:
        """`codes` is the number of codes of the alphabet."""
        self._groups = groups
        self._by_factor = by_factor
        self._search = search
        self._fusion = Fusion(search, codes, pool, limits.fused_tables)
        self._limits = limits

    def open(self) -> ActiveGroups:
        """Returns the state at the start of a stream."""
        activity = ActiveGroups(self._search.root, self._limits)
        for group in self._groups:
            if not group.lookbacks:
                activity.active[group.number] = runner = _blank(group, _NONE, None, 0)
                runner.process_reports(0, _NONE)
        return activity

    @property
    def evictions(self) -> int:
        """The number of times that all fused states were evicted."""
        return self._fusion.evictions

    def stop_matching(self, patterns: Set[int]) -> None:
        """Stops matching the groups whose patterns are all in `patterns`."""
        for group in self._groups:
            group.is_given_up |= group.patterns <= patterns

    def build_all(self) -> None:
        """Builds the automata of all groups."""
        for group in self._groups:
            group.dfa(_NONE)

    def feed(
        self, activity: ActiveGroups, codes: Codes, position: int, known: Set[int]
    ) -> tuple[MatchReports, Sequence[int]]:
        """Reads some units from `position` on.

        Returns the match reports on the way, and the patterns for which it is unknown whether they match, because a
        match may start too far back.
        """
        fused = activity.fused
        if fused is not None:
            passed = 0
            if activity.known == len(known):
                assert activity.fused_states is not None
                activity.fused, passed = activity.fused_states.pass_over(fused, codes, activity.unneeded)
                activity.keep(codes[:passed])
            if passed == len(codes):
                return NO_REPORTS, ()
            activity.unfuse()
            activity.fused = None
            codes, position = codes[passed:], position + passed
        reports, unknown = self._feed_one_by_one(activity, codes, position, known)
        self._fuse(activity, known)
        return reports, unknown

    def _fuse(self, activity: ActiveGroups, known: Set[int]) -> None:
        """Fuse the search and all active groups, unless some are active for a short time."""
        for runner in activity.active.values():
            if runner.group.lookbacks or runner.stops or runner.known != len(known):
                return
        states = self._fusion.states(tuple([runner.dfa for runner in activity.active.values()]))
        if states is not None:
            activity.fused_states, activity.known = states, len(known)
            tables = [runner.table for runner in activity.active.values()]
            activity.fused = states.table((activity.table, *tables))

    def _feed_one_by_one(
        self, activity: ActiveGroups, codes: Codes, position: int, known: Set[int]
    ) -> tuple[MatchReports, Sequence[int]]:
        reports = NO_REPORTS
        end = position + len(codes)
        active = activity.active
        for runner in active.values():
            if runner.known != len(known):
                runner.drop_patterns(known)
            symbols = runner.dfa.translation(codes)
            if end <= runner.stop:
                try:
                    table = reduce(getitem, symbols, runner.table)
                except TypeError:
                    # There was no table on the way.
                    table = None
                if table.__class__ is list:
                    runner.table = table
                    continue
            more = runner.step(symbols, position, known)
            if more:
                reports = reports + more
        unknown: Sequence[int] = ()
        activity.keep(codes)
        if self._by_factor:
            activity.table, found = self._search.search(activity.table, codes)
            if found:
                reports, unknown = self._activate_all(activity, reports, found, end, known)
        if codes and active:
            _drop_idle(activity, codes[-1], end)
        return reports, unknown

    def _activate_all(
        self,
        activity: ActiveGroups,
        reports: MatchReports,
        found: Sequence[tuple[int, int]],
        length: int,
        known: Set[int],
    ) -> tuple[MatchReports, Sequence[int]]:
        """Match the groups of which factors ended, unless all of it is over at the end of the text already.

        Remembers which factors are not needed any more.
        """
        unknown: list[int] = []
        active = activity.active
        recent = _joined(activity.recent)
        first, before = length - len(recent), len(recent) - len(activity.recent[-1])
        checked: set[int] = set()
        for position, factor in found:
            is_needed = False
            for occurrence in self._by_factor[factor]:
                group = occurrence.group
                if group.is_given_up or group.patterns <= known:
                    continue
                is_needed = True
                number = group.number
                if number in checked:
                    continue
                if number in active:
                    active[number].since = length
                    continue
                end = before + position
                if not occurrence.is_needed(recent, end):
                    continue
                start = max(group.start(recent, end), 0)
                if group.is_anchored and start:
                    continue
                # Whatever starts later is read along.
                checked.add(number)
                is_superset = bool(first and not start)
                if is_superset:
                    start = 1
                runner = _blank(group, known, recent[start - 1] if first + start else None, length)
                if is_superset and not runner.restart_with_all_threads(recent[0]):
                    unknown += group.patterns - known
                    continue
                if not runner.can_skip(recent[start:]):
                    runner.process_reports(first + start, known)
                    more = runner.feed(recent[start:], first + start, known)
                    if more:
                        # No match ended before the factor did, whatever threads there may be.
                        reports = reports + [item for item in more if item[0] > first + before]
                    if not runner.has_no_older_thread(recent[-1]):
                        active[number] = runner
            if not is_needed:
                activity.unneeded |= {factor}
        return reports, unknown


def _blank(group: PatternGroup, known: Set[int], code: int | None, since: int) -> GroupRunner:
    """A group where nothing was seen but one unit with this code, or no text at all."""
    without = group.patterns & known if known else _NONE
    dfa = group.dfa(without)
    table = dfa.initial if code is None else dfa.table(dfa.restarted(dfa.translation.of(code)))
    return GroupRunner(group, dfa, table, len(known), since)


def _joined(chunks: Sequence[Codes]) -> Codes:
    try:
        return b"".join(chunks)  # type: ignore[arg-type]
    except TypeError:
        return [code for chunk in chunks for code in chunk]


def _drop_idle(activity: ActiveGroups, last: int, length: int) -> None:
    """Stop matching groups that are not needed before something makes them active again."""
    dropped: list[int] = []
    for number, runner in activity.active.items():
        if runner.may_rest:
            if runner.has_no_older_thread(last) or (
                length >= runner.rest_at and runner.is_idle_after(_joined(activity.recent), length)
            ):
                dropped.append(number)
        elif runner.is_done or runner.group.is_given_up:
            dropped.append(number)
    if dropped:
        # A dictionary that was large once stays so.
        activity.active = {number: runner for number, runner in activity.active.items() if number not in dropped}
