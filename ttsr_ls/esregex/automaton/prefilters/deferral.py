"""Lets deferred groups catch up with the text of a stream."""

from __future__ import annotations

from collections.abc import Sequence, Set

from ttsr_ls.esregex.automaton.dfa.cache_evictor import CacheEvictor
from ttsr_ls.esregex.automaton.dfa.group_runner import GroupRunner, MatchReports
from ttsr_ls.esregex.automaton.dfa.pattern_group import PatternGroup
from ttsr_ls.esregex.automaton.prefilters.active_groups import ActiveGroups, DeferredGroup, join_codes
from ttsr_ls.esregex.automaton.prefilters.factor_occurrence import FactorOccurrence
from ttsr_ls.esregex.automaton.prefilters.group_start import start_runner

WORK_OF_START = 6
"""The work of starting a group, in the unit of `Limits.feed_work`."""
_WORK_OF_CHUNK = 2
_UNITS_PER_WORK = 20
"""How many units are looked up in the time of one unit of work."""
_DENSE_AT_ONCE = 128
"""How many units a group with factors everywhere reads at once."""


class Deferral:
    """The deferred groups of one stream, while it reads some units."""

    __slots__ = (
        "_activity",
        "_evictor",
        "_first",
        "_known",
        "_length",
        "_occurrences",
        "_recent",
        "reports",
        "unknown",
    )

    def __init__(
        self,
        activity: ActiveGroups,
        occurrences: Sequence[FactorOccurrence],
        length: int,
        known: Set[int],
        evictor: CacheEvictor,
    ) -> None:
        """`occurrences` are those of the automaton, by their numbers; `length` is that of the text."""
        self._activity = activity
        self._occurrences = occurrences
        self._recent = join_codes(activity.recent)
        self._length = length
        self._first = length - len(self._recent)
        self._known = known
        self._evictor = evictor
        self.reports: MatchReports = []
        self.unknown: list[int] = []
        """The patterns for which it is unknown whether they match."""

    def catch_up(self, groups: Sequence[PatternGroup]) -> None:
        """Lets deferred groups read the rest of the text as long as there is work left. `groups` are all groups.

        Those that have read all of it are active afterwards, if they are needed.
        """
        activity = self._activity
        for number, deferred in [*activity.deferred.items()]:
            group = groups[number]
            built = self._evictor.work
            if group.is_disabled or group.patterns <= self._known or self._read(deferred, group, built):
                del activity.deferred[number]
                if deferred.runner is not None and not deferred.runner.is_done:
                    activity.active[number] = deferred.runner
            else:
                deferred.settle()
            activity.work -= 1 + self._evictor.work - built
            if activity.work <= 0:
                # At least one group made progress, even if no work was left.
                break

    def _read(self, deferred: DeferredGroup, group: PatternGroup, built: int) -> bool:
        """Lets a group read on. Returns whether it does not have to be deferred any longer."""
        activity = self._activity
        while activity.work > self._evictor.work - built:
            runner = deferred.runner
            if runner is None:
                if not deferred.factors:
                    return True
                self._start(deferred, group)
                continue
            if runner.known != len(self._known):
                runner.drop_patterns(self._known)
            if runner.is_done:
                return True
            if deferred.position < self._length:
                at, before = deferred.position - self._first, self._evictor.work
                at_once = _DENSE_AT_ONCE if deferred.is_dense and group.reads_lightly else group.read_at_once
                chunk = self._recent[at : at + at_once]
                self.reports += runner.feed(chunk, deferred.position, self._known)
                deferred.position += len(chunk)
                work = _WORK_OF_CHUNK + len(chunk) // _UNITS_PER_WORK
                activity.work -= work
                group.record_work(work + self._evictor.work - before, len(chunk))
            runner.since = deferred.position
            is_over = deferred.position == self._length
            if (is_over or not deferred.is_dense) and self._is_idle(runner, deferred.position):
                deferred.runner = None
                deferred.skip_factors()
            if is_over:
                return True
        return deferred.runner is None and not deferred.factors

    def _is_idle(self, runner: GroupRunner, position: int) -> bool:
        at = position - self._first
        return runner.can_become_idle and at > 0 and runner.has_no_older_thread(self._recent[at - 1])

    def _start(self, deferred: DeferredGroup, group: PatternGroup) -> None:
        """Starts a group at its next factor, and lets it read up to the end of that.

        A dense one starts in any case: it does not know where all later factors are.
        """
        position, number = deferred.take_first()
        occurrence = self._occurrences[number]
        self._activity.work -= 1
        end = position - self._first
        if not deferred.is_dense and not occurrence.is_needed(self._recent, end):
            return
        found = start_runner(group, self._recent, group.start(self._recent, end), self._length, self._known)
        if found is None:
            return
        self._activity.work -= WORK_OF_START
        runner, start = found
        if runner is None:
            self.unknown += group.patterns - self._known
            deferred.factors.clear()
            return
        at = self._first + start
        runner.process_reports(at, self._known)
        more = runner.feed(self._recent[start:end], at, self._known)
        # No match ends before its factor does.
        self.reports += [item for item in more if item[0] >= position]
        deferred.runner, deferred.position = runner, position
