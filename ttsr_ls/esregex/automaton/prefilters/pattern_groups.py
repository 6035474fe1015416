"""Selects the groups of patterns that are matched on a stream: groups with an occurrence of a required factor, and
groups without factors.

One search finds all factors. When a factor ends, its group becomes active: its automaton starts at the first position
where a match with this factor may start, and reads until it is in the state that it would have without any text before
the last unit. Its reports are exact. So patterns whose factors do not occur cost nothing, and the states of different
groups do not multiply.

A stream reads some units with a bounded amount of work. Groups that would need more are deferred: they read these units
with later ones, so that many factors in one delta cost one start of a group each and not one a delta.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from functools import reduce
from operator import attrgetter, getitem

from ttsr_ls.esregex.automaton.dfa.alphabet import Codes
from ttsr_ls.esregex.automaton.dfa.cache_evictor import CacheEvictor
from ttsr_ls.esregex.automaton.dfa.group_runner import NO_REPORTS, GroupRunner, MatchReports
from ttsr_ls.esregex.automaton.dfa.pattern_group import PatternGroup
from ttsr_ls.esregex.automaton.dfa.table_pool import Table, TablePool
from ttsr_ls.esregex.automaton.nfa.limits import Limits
from ttsr_ls.esregex.automaton.prefilters.active_groups import FIRST_IDLE_CHECK, LASTING, ActiveGroups, DeferredGroup
from ttsr_ls.esregex.automaton.prefilters.deferral import Deferral
from ttsr_ls.esregex.automaton.prefilters.factor_occurrence import FactorOccurrence
from ttsr_ls.esregex.automaton.prefilters.factor_search import FactorEnd, FactorSearch, FoundFactors
from ttsr_ls.esregex.automaton.prefilters.fusion import MAX_FUSED_GROUPS, Fusion
from ttsr_ls.esregex.automaton.prefilters.group_activation import GroupActivation
from ttsr_ls.esregex.automaton.prefilters.group_start import new_runner

_NONE: frozenset[int] = frozenset()
_NOTHING: tuple[MatchReports, Sequence[int]] = (NO_REPORTS, ())
_work = attrgetter("work")
_WORK_OF_RUNNER = 2
"""The work of checking whether an active group is still needed, in the unit of `Limits.feed_work`."""


class PatternGroups:
    """The groups of an automaton, and which factors activate each of them."""

    __slots__ = (
        "_activation",
        "_by_factor",
        "_evictor",
        "_fusion",
        "_groups",
        "_limits",
        "_occurrences",
        "_search",
        "is_search_fused",
        "run",
        "units",
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
        self._groups = groups
        self._by_factor = by_factor
        self._occurrences = [occurrence for each in by_factor for occurrence in each]
        for number, occurrence in enumerate(self._occurrences):
            occurrence.number = number
        self._activation = GroupActivation(by_factor, evictor)
        self._search = search
        self._fusion = Fusion(search, codes, pool, limits.fused_tables)
        self.run = search.run
        self.is_search_fused = self._fusion.with_search
        self.units = 0
        """How many units were read so far, on all streams, when a unit was last read otherwise than by one loop."""
        self._limits = limits
        self._evictor = evictor

    def open(self) -> ActiveGroups:
        """Returns the state at the start of a stream."""
        activity = ActiveGroups(self._search.root, self._limits)
        for group in self._groups:
            if not group.lookbacks:
                activity.active[group.number] = runner = new_runner(group, _NONE, None, 0)
                runner.process_reports(0, _NONE)
        return activity

    @property
    def evictions(self) -> int:
        """The number of times that all fused states were evicted."""
        return self._fusion.evictions

    def stop_matching(self, patterns: Set[int]) -> None:
        """Stops matching the groups whose patterns are all in `patterns`."""
        for group in self._groups:
            if not group.is_disabled and group.patterns <= patterns:
                group.is_disabled = True

    def build_all(self) -> None:
        """Builds the automata of all groups."""
        for group in self._groups:
            group.dfa(_NONE)

    def feed(
        self, activity: ActiveGroups, codes: Codes, position: int, known: Set[int], fused: object
    ) -> tuple[MatchReports, Sequence[int]]:
        """Reads some units from `position` on.

        `fused` is the state to which a loop over the fused state led, or a transition with which factors end; `run` has
        the factors that ended before. Anything else if there is no fused state, or a transition was missing.

        Returns the match reports on the way, and the patterns for which it is unknown whether they match, because a
        match may start too far back.
        """
        if activity.fused is not None:
            if activity.known == len(known) and position < activity.idle_check_at:
                after: Table | None
                found: FoundFactors
                if fused.__class__ is list and not self.run.ends:
                    after, found = fused, ()
                else:
                    after, found = self._read_fused(activity, codes, fused)
                if after is not None:
                    activity.fused = after
                    if not self.is_search_fused:
                        activity.table, found = self._search.search(activity.table, codes, activity.unneeded)
                    if activity.active or activity.deferred:
                        result = self._feed_each_group(activity, codes, position, known, found)
                        if position >= activity.fuse_check_at:
                            self._fuse_again(activity, known, position + len(codes))
                        return result
                    # No group is active but those that are fused.
                    activity.keep(codes)
                    return self._activate(activity, found, position + len(codes), known) if found else _NOTHING
                activity.record_failure()
            self.run.ends.clear()
            activity.unfuse(position)
        found = ()
        if self._by_factor:
            activity.table, found = self._search.search(activity.table, codes, activity.unneeded)
        reports, unknown = self._feed_each_group(activity, codes, position, known, found)
        if self._fusion.is_useful:
            self._fuse(activity, known, position + len(codes))
        return reports, unknown

    def _fuse_again(self, activity: ActiveGroups, known: Set[int], length: int) -> None:
        """Fuses other groups if some have become active for long."""
        activity.fuse_check_at = length + LASTING
        if self._fusion.with_lasting and len(activity.fused_runners) < MAX_FUSED_GROUPS and activity.lasting(length):
            activity.unfuse(length)
            self._fuse(activity, known, length)

    def _read_fused(self, activity: ActiveGroups, codes: Codes, fused: object) -> tuple[Table | None, FoundFactors]:
        """Returns the fused state after some units, and the factors that ended in them. The state is None if a group
        has a report on the way. `fused` is that of `feed`."""
        run = self.run
        if isinstance(fused, FactorEnd):
            run.ends.append((0, fused))
            fused = fused.table
        if isinstance(fused, list):
            return fused, run.take(codes, activity.unneeded)
        run.ends.clear()
        assert activity.fused is not None
        assert activity.fused_states is not None
        return activity.fused_states.read(activity.fused, codes, activity.unneeded)

    def _activate(
        self, activity: ActiveGroups, found: FoundFactors, length: int, known: Set[int]
    ) -> tuple[MatchReports, Sequence[int]]:
        """Starts the groups of some factors, where all active groups are fused and none is deferred."""
        activity.work = self._limits.feed_work
        result = self._activation.activate_all(activity, found, length, known, activity.fused_numbers)
        if activity.deferred:
            activity.measure_backlog(length)
        return result

    def _fuse(self, activity: ActiveGroups, known: Set[int], length: int) -> None:
        """Fuses all groups that are always matched, and with them the search, and groups that are active for long."""
        if activity.deferred:
            return
        always = [runner for runner in activity.active.values() if not runner.group.lookbacks]
        lasting = activity.lasting(length) if self._fusion.with_lasting else []
        runners = always + lasting[: max(0, MAX_FUSED_GROUPS - len(always))]
        for runner in runners:
            if runner.stops or runner.known != len(known) or not runner.dfa.is_cached:
                return
            if runner.group.is_anchored and length < FIRST_IDLE_CHECK:
                # It will soon be idle.
                return
        states = self._fusion.states(tuple([runner.dfa for runner in runners]), self.units)
        if states is not None:
            activity.fuse(states, runners, len(known), length)

    def _feed_each_group(
        self, activity: ActiveGroups, codes: Codes, position: int, known: Set[int], found: FoundFactors
    ) -> tuple[MatchReports, Sequence[int]]:
        """Feeds all units to one group after the other that is active and not fused. Returns what `feed` does."""
        reports = NO_REPORTS
        unknown: Sequence[int] = ()
        end = position + len(codes)
        active = activity.active
        activity.keep(codes)
        activity.work = self._limits.feed_work - _WORK_OF_RUNNER * len(active)
        if activity.work < 0:
            for number in [*active][self._limits.feed_work // _WORK_OF_RUNNER :]:
                activity.deferred[number] = DeferredGroup(active.pop(number), position)
        runners: Iterable[GroupRunner] = active.values()
        caught_up: Set[int] = _NONE
        if activity.deferred:
            # Deferred groups come first. Those that are active afterwards have read these units.
            runners, caught_up = [*runners], activity.deferred.keys() | _NONE
            activity.work = max(activity.work, self._limits.feed_work // 4)
            activity.add_factors(found, self._by_factor, position)
            reports, unknown = self._catch_up(activity, end, known)
        more = self._feed_runners(activity, runners, codes, position, known)
        if more:
            reports = reports + more
        if activity.deferred:
            active = activity.active = {
                number: runner for number, runner in active.items() if number not in activity.deferred
            }
        if found:
            read = caught_up | activity.fused_numbers
            more, more_unknown = self._activation.activate_all(activity, found, end, known, read)
            reports, unknown = reports + more, [*unknown, *more_unknown]
        if activity.deferred and activity.work > 0:
            # Some groups are deferred because a few of their units take much work.
            more, more_unknown = self._catch_up(activity, end, known)
            reports, unknown = reports + more, [*unknown, *more_unknown]
        if codes and active:
            activity.drop_idle(codes[-1], end)
        if activity.deferred or activity.backlog:
            activity.measure_backlog(end)
        return reports, unknown

    def _feed_runners(
        self, activity: ActiveGroups, runners: Iterable[GroupRunner], codes: Codes, position: int, known: Set[int]
    ) -> MatchReports:
        """Feeds all units to some active groups, of which those that would take too much work are deferred."""
        reports = NO_REPORTS
        end, known_count = position + len(codes), len(known)
        for runner in runners:
            if runner.known != known_count:
                runner.drop_patterns(known)
            translation = runner.dfa.translation
            if isinstance(codes, bytes) and translation.table is not None:
                # Calling `translation` takes longer than the translation.
                symbols: Codes = codes.translate(translation.table)
            else:
                symbols = translation(codes)
            if end <= runner.stop:
                try:
                    table = reduce(getitem, symbols, runner.table)
                except TypeError:
                    # Some transition is not cached, or leads to a report.
                    table = None
                if table.__class__ is list:
                    runner.table = table
                    continue
            if activity.work <= 0 or not runner.group.reads_lightly:
                activity.deferred[runner.group.number] = DeferredGroup(runner, position)
                continue
            more = self._step(activity, runner, symbols, position, known)
            if more:
                reports = reports + more
        return reports

    def _step(
        self, activity: ActiveGroups, runner: GroupRunner, symbols: Codes, position: int, known: Set[int]
    ) -> MatchReports:
        built = self._evictor.work
        reports = runner.step(symbols, position, known)
        work = 2 + len(symbols) // 2 + self._evictor.work - built
        activity.work -= work
        runner.group.record_work(work, len(symbols))
        return reports

    def catch_up(self, activity: ActiveGroups, length: int, known: Set[int]) -> tuple[MatchReports, Sequence[int]]:
        """Lets deferred groups read the rest of the text, with all work that `Limits.end_work` allows. Returns what
        `feed` does."""
        activity.work = self._limits.end_work
        found = self._catch_up(activity, length, known)
        activity.measure_backlog(length)
        return found

    def _catch_up(self, activity: ActiveGroups, length: int, known: Set[int]) -> tuple[MatchReports, Sequence[int]]:
        deferral = Deferral(activity, self._occurrences, length, known, self._evictor)
        deferral.catch_up(self._groups)
        return deferral.reports, deferral.unknown

    def deferred(self, activity: ActiveGroups) -> list[PatternGroup]:
        """Returns the groups that are behind the text, those that took the most work first."""
        groups = [self._groups[number] for number in activity.deferred]
        return sorted([group for group in groups if not group.is_disabled], key=_work, reverse=True)
