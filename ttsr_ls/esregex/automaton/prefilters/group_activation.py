"""Starts matching the groups whose factors ended in the latest units of a stream."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import reduce
from operator import getitem

from ttsr_ls.esregex.automaton.dfa.alphabet import Codes
from ttsr_ls.esregex.automaton.dfa.cache_evictor import CacheEvictor
from ttsr_ls.esregex.automaton.dfa.group_runner import MatchReports
from ttsr_ls.esregex.automaton.dfa.lazy_dfa import LazyDfa
from ttsr_ls.esregex.automaton.dfa.pattern_group import PatternGroup
from ttsr_ls.esregex.automaton.dfa.table_pool import Table
from ttsr_ls.esregex.automaton.prefilters.active_groups import ActiveGroups, join_codes
from ttsr_ls.esregex.automaton.prefilters.deferral import WORK_OF_START
from ttsr_ls.esregex.automaton.prefilters.factor_occurrence import FactorOccurrence
from ttsr_ls.esregex.automaton.prefilters.group_start import start_runner

_NONE: frozenset[int] = frozenset()


class GroupActivation:
    """Starts the groups of an automaton. Owns no state of a stream."""

    __slots__ = ("_by_factor", "_evictor")

    def __init__(self, by_factor: Sequence[Sequence[FactorOccurrence]], evictor: CacheEvictor) -> None:
        self._by_factor = by_factor
        self._evictor = evictor

    def activate_all(
        self,
        activity: ActiveGroups,
        found: Sequence[tuple[int, int]],
        length: int,
        known: Set[int],
        caught_up: Set[int],
    ) -> tuple[MatchReports, Sequence[int]]:
        """Starts matching the groups whose factors ended, except groups that are idle again at the end of the text.

        Records which factors are no longer needed. The groups `caught_up` have read these units, unless they are still
        deferred.
        """
        reports: MatchReports = []
        unknown: list[int] = []
        active = activity.active
        latest = activity.recent[-1]
        base = length - len(latest)
        recent: Codes | None = None
        checked: set[int] = set(caught_up)
        unneeded: list[int] = []
        for index, (position, factor) in enumerate(found):
            if activity.work <= 0:
                activity.defer_factors(found[index:], self._by_factor, base, checked)
                break
            is_needed = False
            occurrences = self._by_factor[factor]
            activity.work -= len(occurrences)
            for occurrence in occurrences:
                group = occurrence.group
                if group.is_disabled or (known and group.patterns <= known):
                    continue
                is_needed = True
                number = group.number
                if number in checked:
                    continue
                if number in active:
                    active[number].since = length
                    continue
                # Mostly, the latest units have all units that are looked at, and need not be joined with others.
                units, end = latest, position
                if end <= occurrence.length:
                    units = recent = join_codes(activity.recent) if recent is None else recent
                    end += len(units) - len(latest)
                if not occurrence.is_needed(units, end):
                    continue
                start = group.start(units, end)
                if start <= 0 and units is latest:
                    units = recent = join_codes(activity.recent) if recent is None else recent
                    end += len(units) - len(latest)
                    start = group.start(units, end)
                if activity.work <= 0 or number in activity.deferred:
                    activity.defer(base + position, occurrence)
                    continue
                if self._activate(activity, group, units, start, end, length, known, reports):
                    # The runner also matches all that starts later.
                    checked.add(number)
                else:
                    unknown += group.patterns - known
            if not is_needed:
                unneeded.append(factor)
        if unneeded:
            activity.unneeded = activity.unneeded.union(unneeded)
        return reports, unknown

    def _activate(
        self,
        activity: ActiveGroups,
        group: PatternGroup,
        recent: Codes,
        start: int,
        end: int,
        length: int,
        known: Set[int],
        reports: MatchReports,
    ) -> bool:
        """Starts matching a group whose factor ends at `end` and whose matches start at `start` or later. These are
        indexes into `recent`, the end of the text. Returns False if a match may start before `recent`, and the group
        cannot continue from an unknown state."""
        built = self._evictor.work
        if start > 0 and _leaves_no_thread(group.dfa(group.patterns & known if known else _NONE), recent, start):
            # Most factors are not part of a match: no runner is made for them.
            work = WORK_OF_START + self._evictor.work - built
            activity.work -= work
            group.work += work
            return True
        found = start_runner(group, recent, start, length, known)
        if found is None:
            return True
        runner, start = found
        if runner is None:
            return False
        first = length - len(recent)
        runner.process_reports(first + start, known)
        more = runner.feed(recent[start:], first + start, known)
        if more:
            # No match ends before its factor does, even if there are too many threads.
            reports += [item for item in more if item[0] >= first + end]
        if not runner.has_no_older_thread(recent[-1]):
            activity.active[group.number] = runner
        work = WORK_OF_START + self._evictor.work - built
        activity.work -= work
        group.work += work
        return True


def _leaves_no_thread(dfa: LazyDfa, codes: Codes, start: int) -> bool:
    """Returns whether the units from `start` on cause no report and no count and leave no thread that began before the
    last one, if no thread began before them. False if that takes states that are not cached."""
    symbols, after = dfa.translation.symbols, dfa.restart_tables
    table = after.get(symbols[codes[start - 1]])
    if table is None:
        table = dfa.table_after(codes[start - 1])
    if dfa.has_counters and dfa.state_of(table).counters:
        return False
    try:
        last: Table = reduce(getitem, dfa.translation(codes[start:]), table)
    except TypeError:
        return False
    code = codes[-1]
    return last.__class__ is list and (last is after.get(symbols[code]) or dfa.has_no_older_thread(last, code))
