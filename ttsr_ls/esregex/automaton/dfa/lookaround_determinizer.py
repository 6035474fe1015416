"""The subset construction for threads that may carry pending lookaheads (`pending_lookaheads`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ttsr_ls.esregex.automaton.dfa.nfa_program import NfaProgram
from ttsr_ls.esregex.automaton.dfa.pending_lookaheads import (
    DOUBT,
    NO_LOOKAHEADS,
    PendingLookaheads,
    PendingLookaheadTransitions,
    ThreadGroups,
    Threads,
    simplify_groups,
)
from ttsr_ls.esregex.automaton.dfa.thread_transitions import ThreadTransitions
from ttsr_ls.esregex.automaton.nfa.items import START

_MAX_GROUPS = 12
"""The greatest number of groups per pattern, including those within pending lookaheads. With more groups, `DOUBT`
replaces all pending lookaheads."""

_MAX_GROUPS_UNCACHED = 8
"""The greatest number of groups in total if nothing is cached: each costs about 5 µs per unit."""

_WORK = 10
_WORK_OF_GROUP = 20
"""The time of a step, and of each group in it, in microseconds."""

_MAX_INTERNED = 5_000
"""How many values are interned."""

_CONSTANTS = {NO_LOOKAHEADS: NO_LOOKAHEADS, DOUBT: DOUBT}


class LookaheadConfiguration(NamedTuple):
    """The kind of a position, the threads of lookbehind bodies, and the threads of patterns."""

    kind: int
    behind: int
    threads: Threads


class LookaroundDeterminizer:
    """The `Determinizer` of patterns with any lookarounds."""

    __slots__ = ("_interned", "_kept", "_lookaheads", "_most_groups", "_program", "_starts", "_transitions")

    def __init__(self, program: NfaProgram, transitions: ThreadTransitions, left_out: int = 0) -> None:
        """`left_out` are the items of patterns that need not be matched any more."""
        self._program = program
        self._transitions = transitions
        self._kept = ~left_out
        self._lookaheads = PendingLookaheadTransitions(program, self._transitions)
        self._starts: dict[int, ThreadGroups] = {}
        self._most_groups = _MAX_GROUPS * len(program.starts)
        self._interned: dict[Any, Any] = dict(_CONSTANTS)
        """Interned values. Configurations share equal parts, because Python's cycle collector traverses all frozen
        sets, at any time."""

    @property
    def initial(self) -> LookaheadConfiguration:
        """The configuration before any text."""
        return self._at(START)

    def restarted(self, key: int) -> LookaheadConfiguration:
        return self._at(self._program.consuming_items(key)[1])

    def all_threads(self, key: int) -> LookaheadConfiguration | None:
        """Returns None: threads without pending lookaheads would be too many, and those with any are unknown."""
        return None

    def _at(self, kind: int) -> LookaheadConfiguration:
        """Returns the configuration at a position of this kind that no older thread reached."""
        kind, behind = self._transitions.advance_lookbehinds(0, kind)
        return LookaheadConfiguration(kind, behind, self._threads(self._start_threads(kind)))

    def step(self, configuration: LookaheadConfiguration, key: int) -> LookaheadConfiguration:
        """Returns the configuration after a unit with this class key."""
        consumers, kind_after = self._program.consuming_items(key)
        behind = self._transitions.resolve_tests(configuration.behind, configuration.kind, key) & consumers
        kind_after, behind = self._transitions.advance_lookbehinds(behind, kind_after)
        groups = self._lookaheads.step(
            _without_reported_ends(configuration.threads, self._program), configuration.kind, key, kind_after
        )
        for lookaheads, items in self._start_threads(kind_after).items():
            groups[lookaheads] = groups.get(lookaheads, 0) | items
        return LookaheadConfiguration(kind_after, behind, self._threads(groups))

    def expire_counters(self, configuration: LookaheadConfiguration, counters: Sequence[int]) -> LookaheadConfiguration:
        """Returns the configuration unchanged: there are no counters, because each group would need its own."""
        return configuration

    def match_reports(self, configuration: LookaheadConfiguration) -> tuple[int, ...]:
        certain = maybe = 0
        for lookaheads, items in configuration.threads:
            if not lookaheads:
                certain |= items
            elif lookaheads is DOUBT:
                maybe |= items
        return self._reports(certain, maybe)

    def without_left_out(self, configuration: LookaheadConfiguration) -> LookaheadConfiguration:
        groups = dict(configuration.threads)
        return LookaheadConfiguration(configuration.kind, configuration.behind & self._kept, self._threads(groups))

    def work(self, configuration: LookaheadConfiguration) -> int:
        return _WORK + _WORK_OF_GROUP * len(configuration.threads)

    def use_cheap_steps(self) -> None:
        self._most_groups = _MAX_GROUPS_UNCACHED

    def reports_at_end(self, configuration: LookaheadConfiguration) -> tuple[int, ...]:
        return self._reports(
            *self._lookaheads.ends(_without_reported_ends(configuration.threads, self._program), configuration.kind)
        )

    def _reports(self, certain: int, maybe: int) -> tuple[int, ...]:
        if not maybe:
            return self._program.match_reports(certain)
        doubtful = {min(pattern, ~pattern) for pattern in self._program.match_reports(maybe & ~certain)}
        return tuple(sorted(doubtful.union(self._program.match_reports(certain))))

    def _start_threads(self, kind: int) -> ThreadGroups:
        groups = self._starts.get(kind)
        if groups is None:
            groups = {}
            for entry in self._program.starts:
                for lookaheads, items in self._lookaheads.enter(entry, kind).items():
                    groups[lookaheads] = groups.get(lookaheads, 0) | items
            self._starts[kind] = groups
        return groups

    def _threads(self, groups: ThreadGroups) -> Threads:
        groups = simplify_groups({lookaheads: items & self._kept for lookaheads, items in groups.items()})
        if _has_more_groups(groups, self._most_groups):
            plain, doubtful = groups.get(NO_LOOKAHEADS, 0), 0
            for items in groups.values():
                doubtful |= items
            groups = {NO_LOOKAHEADS: plain, DOUBT: doubtful & ~plain}
        program = self._program
        interned = self._interned
        if len(interned) > _MAX_INTERNED:
            interned.clear()
            interned.update(_CONSTANTS)
        found = [
            (interned.setdefault(lookaheads, lookaheads), program.without_subsumed(items))
            for lookaheads, items in groups.items()
            if items
        ]
        threads = frozenset([interned.setdefault(group, group) for group in found])
        known: Threads = interned.setdefault(threads, threads)
        return known


def _without_reported_ends(threads: Threads, program: NfaProgram) -> Threads:
    """Returns the threads without reported ends: the ends without pending lookaheads, or in doubt."""
    ended = [group for group in threads if group[1] & program.ends and (not group[0] or group[0] is DOUBT)]
    if not ended:
        return threads
    return (threads - frozenset(ended)) | {(group[0], group[1] & program.threads) for group in ended}


def _has_more_groups(groups: ThreadGroups, limit: int) -> bool:
    """Returns whether there are more groups than `limit`, including those within pending lookaheads."""
    size = 0
    pending: list[Iterable[PendingLookaheads]] = [groups]
    while pending:
        for lookaheads in pending.pop():
            size += 1
            pending.extend([[inner for inner, _ in lookahead.threads] for lookahead in lookaheads])
        if size > limit:
            return True
    return False
