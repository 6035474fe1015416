"""The state of one stream in the groups of patterns: which of them are matched, and how far they have read."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from operator import attrgetter

from ttsr_ls.esregex.automaton.dfa.alphabet import Codes
from ttsr_ls.esregex.automaton.dfa.group_runner import NOWHERE, GroupRunner
from ttsr_ls.esregex.automaton.dfa.table_pool import Table
from ttsr_ls.esregex.automaton.nfa.limits import Limits
from ttsr_ls.esregex.automaton.prefilters.factor_occurrence import FactorOccurrence
from ttsr_ls.esregex.automaton.prefilters.fusion import FusedStates

_NONE: frozenset[int] = frozenset()

FIRST_IDLE_CHECK = 64
"""The position from which on anchored groups are fused. Before it, most of them become idle."""
LASTING = 256
"""How many units after its start a group is active for long."""
_MAX_FAILURES = 8
_MAX_FACTORS = 24
_NUMBER_BITS = 32
_NUMBERS = (1 << _NUMBER_BITS) - 1
_settled = attrgetter("settled")


class DeferredGroup:
    """A group that has not read all of the text, because that would have been too much work for one delta.

    With a `runner`, it has read `position` units. Without one, it is needed from the first of its factors on.
    """

    __slots__ = ("factors", "is_dense", "position", "runner", "settled")

    def __init__(self, runner: GroupRunner | None, position: int) -> None:
        self.runner = runner
        self.position = position
        self.factors: list[int] = []
        """The factors that end after `position`: the positions after them, shifted by `_NUMBER_BITS`, with the numbers
        of their `FactorOccurrence`. Plain integers, because Python's cycle collector traverses other objects."""
        self.is_dense = False
        """Whether there are more factors, which are not kept. Then the group reads all text after the first factor."""
        self.settled = position
        """The length of the longest prefix for which all reports of the group are known."""

    def copy(self) -> DeferredGroup:
        """Returns the same, for another stream with the same text."""
        copy = DeferredGroup(None if self.runner is None else self.runner.copy(), self.position)
        copy.factors, copy.is_dense, copy.settled = self.factors.copy(), self.is_dense, self.settled
        return copy

    def add(self, position: int, occurrence: int) -> None:
        """Adds a factor that ends at `position`."""
        if len(self.factors) < _MAX_FACTORS:
            self.factors.append(position << _NUMBER_BITS | occurrence)
        else:
            self.is_dense = True

    def take_first(self) -> tuple[int, int]:
        """Removes the first factor. Returns the position after it, and the number of its occurrence."""
        factor = self.factors.pop(0)
        return factor >> _NUMBER_BITS, factor & _NUMBERS

    def skip_factors(self) -> None:
        """Drops the factors that ended at `position` or before: the group has read the text after them."""
        while self.factors and self.factors[0] >> _NUMBER_BITS <= self.position:
            del self.factors[0]

    def settle(self) -> None:
        """Sets `settled`, after the group read on and is still deferred."""
        self.settled = self.position if self.runner is not None else (self.factors[0] >> _NUMBER_BITS) - 1


class ActiveGroups:
    """The active groups of a stream, the state of its factor search, and its latest text."""

    __slots__ = (
        "active",
        "backlog",
        "deferred",
        "failures_left",
        "fuse_check_at",
        "fused",
        "fused_numbers",
        "fused_runners",
        "fused_states",
        "idle_check_at",
        "known",
        "limits",
        "recent",
        "table",
        "unneeded",
        "work",
    )

    def __init__(self, table: Table, limits: Limits) -> None:
        self.limits = limits
        self.fused: Table | None = None
        """The fused state of the search and of `fused_runners`, if they are fused now."""
        self.fused_states: FusedStates | None = None
        self.fused_runners: tuple[GroupRunner, ...] = ()
        """The active groups that are fused. Their tables are not up to date; see `update_fused`."""
        self.fused_numbers = _NONE
        """The numbers of these groups."""
        self.fuse_check_at = LASTING
        """The position from which on the other active groups are checked for some to be fused, too."""
        self.failures_left = _MAX_FAILURES
        """How often fused groups with factors may have reports before they are not fused any more."""
        self.idle_check_at = NOWHERE
        """The position from which on the groups are not fused for one delta, so that idle ones are dropped. It doubles
        each time."""
        self.known = 0
        """How many patterns were known when they were fused."""
        self.active: dict[int, GroupRunner] = {}
        """The other active groups, by their numbers."""
        self.deferred: dict[int, DeferredGroup] = {}
        """The groups that have not read all of the text, by their numbers; those that were deferred first come first.
        They are not in `active`."""
        self.backlog = 0
        """How many units the group that is furthest behind has to read."""
        self.work = limits.feed_work
        """The remaining work for the current units; negative if they took more."""
        self.table = table
        self.unneeded = _NONE
        """The factors that occurred although none of their patterns is matched any more."""
        self.recent: list[Codes] = []
        """At least the last `Limits.kept_units` units of the text before the first one that a group has to read, or all
        of it."""

    def copy(self) -> ActiveGroups:
        """Returns the same state, for another stream."""
        self.update_fused()
        copy = ActiveGroups(self.table, self.limits)
        copy.unneeded = self.unneeded
        copy.fused, copy.fused_states, copy.known = self.fused, self.fused_states, self.known
        copy.idle_check_at, copy.fuse_check_at = self.idle_check_at, self.fuse_check_at
        copy.fused_numbers, copy.failures_left = self.fused_numbers, self.failures_left
        copy.fused_runners = tuple([runner.copy() for runner in self.fused_runners])
        copy.active = {number: runner.copy() for number, runner in self.active.items()}
        copy.deferred = {number: group.copy() for number, group in self.deferred.items()}
        copy.backlog = self.backlog
        copy.recent = self.recent.copy()
        return copy

    def fuse(self, states: FusedStates, runners: Sequence[GroupRunner], known: int, length: int) -> None:
        """Fuses the search and some active groups. `known` is the number of known patterns, `length` that of the
        text."""
        self.fused_states, self.known = states, known
        self.fused = states.fused(self.table, [runner.table for runner in runners])
        self.fused_runners = tuple(runners)
        self.fused_numbers = frozenset([runner.group.number for runner in runners])
        can_become_idle = any(runner.can_become_idle for runner in runners)
        self.idle_check_at = 2 * length if can_become_idle else NOWHERE
        for runner in runners:
            del self.active[runner.group.number]

    def update_fused(self) -> None:
        """Sets the tables of the factor search and of `fused_runners` from the fused state, if there is one."""
        if self.fused is not None:
            assert self.fused_states is not None
            self.table, tables = self.fused_states.parts(self.fused, self.table)
            for runner, table in zip(self.fused_runners, tables, strict=True):
                runner.table = table

    def unfuse(self, length: int) -> None:
        """Matches the fused groups one by one from now on. `length` is that of the text."""
        self.update_fused()
        self.fused = None
        for runner in self.fused_runners:
            # Factors that ended while the group was fused were not recorded.
            runner.since = length
        self.active = {runner.group.number: runner for runner in (*self.fused_runners, *self.active.values())}
        self.fused_runners, self.fused_numbers = (), _NONE

    def lasting(self, length: int) -> list[GroupRunner]:
        """Returns the groups with factors that have been active for long and have no counters. `length` is that of the
        text."""
        if not self.failures_left:
            return []
        return [
            runner
            for runner in self.active.values()
            if runner.group.lookbacks and length - runner.started >= LASTING and not runner.dfa.has_counters
        ]

    def record_failure(self) -> None:
        """Records that a fused group had a report, or lacked a state. If groups with factors are fused, they may be the
        cause, and are not fused any more after some failures."""
        if any(runner.group.lookbacks for runner in self.fused_runners):
            self.failures_left = max(0, self.failures_left - 1)

    @property
    def runners(self) -> tuple[GroupRunner, ...]:
        """All active groups."""
        self.update_fused()
        return (*self.fused_runners, *self.active.values())

    def keep(self, codes: Codes) -> None:
        """Appends codes to `recent`, and removes the oldest ones that are not needed any more."""
        if len(self.recent) >= self.limits.kept_chunks:
            self.recent = [join_codes(self.recent)[-self.limits.kept_units - self.backlog :]]
        self.recent.append(codes)

    def defer(self, position: int, occurrence: FactorOccurrence) -> None:
        """Defers a group one of whose factors ended at `position`."""
        number = occurrence.group.number
        deferred = self.deferred.get(number)
        if deferred is None:
            deferred = self.deferred[number] = DeferredGroup(None, position - 1)
        deferred.add(position, occurrence.number)

    def add_factors(
        self, found: Iterable[tuple[int, int]], by_factor: Sequence[Sequence[FactorOccurrence]], base: int
    ) -> None:
        """Adds to the deferred groups those of their factors that ended at positions from `base` on."""
        get = self.deferred.get
        for position, factor in found:
            for occurrence in by_factor[factor]:
                deferred = get(occurrence.group.number)
                # Nearly all groups that are deferred for long are dense.
                if deferred is not None and not deferred.is_dense:
                    deferred.add(base + position, occurrence.number)

    def defer_factors(
        self,
        found: Iterable[tuple[int, int]],
        by_factor: Sequence[Sequence[FactorOccurrence]],
        base: int,
        passed: Container[int],
    ) -> None:
        """Defers the groups whose factors ended at positions from `base` on, except active groups and the groups
        `passed`, which have read all of the text."""
        get = self.deferred.get
        for position, factor in found:
            for occurrence in by_factor[factor]:
                number = occurrence.group.number
                if number in self.active:
                    self.active[number].since = base + position
                elif number not in passed and ((deferred := get(number)) is None or not deferred.is_dense):
                    self.defer(base + position, occurrence)

    def drop_idle(self, last: int, length: int) -> None:
        """Stops matching groups that are not needed before something makes them active again. `last` is the code of the
        last unit."""
        dropped: list[int] = []
        for number, runner in self.active.items():
            if runner.can_become_idle:
                # Not by `runner.has_no_older_thread`: this is called for each active group at each delta.
                if (not runner.stops and runner.dfa.has_no_older_thread(runner.table, last)) or (
                    length >= runner.idle_check_at and runner.is_idle_after(join_codes(self.recent), length)
                ):
                    dropped.append(number)
            elif runner.is_done or runner.group.is_disabled:
                dropped.append(number)
        if dropped:
            # A new dictionary, because dictionaries do not shrink.
            self.active = {number: runner for number, runner in self.active.items() if number not in dropped}

    def measure_backlog(self, length: int) -> None:
        """Sets `backlog`, for a text of this length."""
        self.backlog = length - min(map(_settled, self.deferred.values())) if self.deferred else 0


def join_codes(chunks: Sequence[Codes]) -> Codes:
    """Returns the concatenation of some codes."""
    try:
        return b"".join(chunks)  # type: ignore[arg-type]
    except TypeError:
        return [code for chunk in chunks for code in chunk]
