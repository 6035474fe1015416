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
                if group.is_disabled or group.patterns <= known:
                    continue
                is_needed = True
                number = group.number
                if number in checked:
                    continue
                if number in active:
                    active[number].since = length
                    continue
                # Mostly, the latest units have the unit before the factor, too, and need not be joined with others.
                is_inside = position > occurrence.length
                if is_inside and not occurrence.is_needed(latest, position):
                    continue
                if recent is None:
                    recent = join_codes(activity.recent)
                end = len(recent) - len(latest) + position
                if not is_inside and not occurrence.is_needed(recent, end):
                    continue
                if activity.work <= 0 or number in activity.deferred:
                    activity.defer(base + position, occurrence)
                    continue
                if self._activate(activity, group, recent, end, length, known, reports):
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
        end: int,
        length: int,
        known: Set[int],
        reports: MatchReports,
    ) -> bool:
        """Starts matching a group whose factor ends at `end`, an index into `recent`. Returns False if a match may
        start before `recent`, and the group cannot continue from an unknown state."""
        built = self._evictor.work
        start = group.start(recent, end)
        if start > 0 and not group.is_anchored:
            dfa = group.dfa(group.patterns & known if known else _NONE)
            if _leaves_no_thread(dfa, dfa.table_after(recent[start - 1]), recent[start:]):
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
            before = length - len(activity.recent[-1])
            reports += [item for item in more if item[0] > before]
        if not runner.has_no_older_thread(recent[-1]):
            activity.active[group.number] = runner
        work = WORK_OF_START + self._evictor.work - built
        activity.work -= work
        group.work += work
        return True


def _leaves_no_thread(dfa: LazyDfa, table: Table, codes: Codes) -> bool:
    """Returns whether units after a state cause no report and no count and leave no thread, as far as cached tables can
    decide that."""
    if dfa.has_counters:
        return False
    try:
        last = reduce(getitem, dfa.translation(codes), table)
    except TypeError:
        return False
    return last.__class__ is list and dfa.has_no_older_thread(last, codes[-1])
