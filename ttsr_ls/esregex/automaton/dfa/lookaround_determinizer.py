"""How threads behave that may carry pending lookaheads: lookaheads that they passed (`lookaheads`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ttsr_ls.esregex.automaton.dfa.moves import Moves
from ttsr_ls.esregex.automaton.dfa.nfa_program import NfaProgram
from ttsr_ls.esregex.automaton.dfa.pending_lookaheads import (
    DOUBT,
    NONE,
    LookaheadMoves,
    PendingLookaheads,
    ThreadGroups,
    Threads,
    simplified,
)
from ttsr_ls.esregex.automaton.nfa.items import START

_MOST_GROUPS = 12
"""How many groups a pattern, those within pending lookaheads included, are distinguished before pending lookaheads are
given up."""

_MOST_GROUPS_ALONE = 8
"""How many of them in all, when nothing is cached: each costs about 5 µs a unit."""


_MOST_SHARED = 5_000
"""How many values are remembered to be shared."""

_CONSTANTS = {NONE: NONE, DOUBT: DOUBT}


class LookaheadConfiguration(NamedTuple):
    """The kind of a place, the threads of lookbehinds there, and those of patterns."""

    kind: int
    behind: int
    threads: Threads


class LookaroundDeterminizer:
    """The `Determinizer` of patterns with any lookarounds."""

    __slots__ = ("_kept", "_most_groups", "_moves", "_obliged", "_program", "_same", "_starts")

    def __init__(self, program: NfaProgram, moves: Moves, left_out: int = 0) -> None:
        """Without the items `left_out`, which are those of patterns that need not be matched any more."""
        self._program = program
        self._moves = moves
        self._kept = ~left_out
        self._obliged = LookaheadMoves(program, self._moves)
        self._starts: dict[int, ThreadGroups] = {}
        self._most_groups = _MOST_GROUPS * len(program.starts)
        self._same: dict[Any, Any] = dict(_CONSTANTS)
        """Each value by itself, so that configurations share what is equal in them: Python's collector of cycles looks
        through all frozen sets, and at a time that nobody chose."""

    @property
    def initial(self) -> LookaheadConfiguration:
        """The configuration before any text."""
        return self._at(START)

    def blank(self, key: int) -> LookaheadConfiguration:
        return self._at(self._program.by_class(key)[1])

    def everything(self, key: int) -> LookaheadConfiguration | None:
        """None: threads without pending lookaheads would be too many, and those with any are unknown."""
        return None

    def _at(self, kind: int) -> LookaheadConfiguration:
        """The configuration at a place of this kind, where no thread came to."""
        kind, behind = self._moves.arrive_behind(0, kind)
        return LookaheadConfiguration(kind, behind, self._threads(self._start(kind)))

    def step(self, configuration: LookaheadConfiguration, key: int) -> LookaheadConfiguration:
        """The configuration after a unit with this class key."""
        consumers, kind_after = self._program.by_class(key)
        behind = self._moves.let_pass(configuration.behind, configuration.kind, key) & consumers
        kind_after, behind = self._moves.arrive_behind(behind, kind_after)
        groups = self._obliged.step(
            _unfinished(configuration.threads, self._program), configuration.kind, key, kind_after
        )
        for lookaheads, items in self._start(kind_after).items():
            groups[lookaheads] = groups.get(lookaheads, 0) | items
        return LookaheadConfiguration(kind_after, behind, self._threads(groups))

    def without(self, configuration: LookaheadConfiguration, counter: int) -> LookaheadConfiguration:
        """The same: there are no counters, because each group would need its own."""
        return configuration

    def match_reports(self, configuration: LookaheadConfiguration) -> tuple[int, ...]:
        certain = maybe = 0
        for lookaheads, items in configuration.threads:
            if not lookaheads:
                certain |= items
            elif lookaheads is DOUBT:
                maybe |= items
        return self._reports(certain, maybe)

    def limited(self, configuration: LookaheadConfiguration) -> LookaheadConfiguration:
        groups = dict(configuration.threads)
        return LookaheadConfiguration(configuration.kind, configuration.behind & self._kept, self._threads(groups))

    def spare(self) -> None:
        self._most_groups = _MOST_GROUPS_ALONE

    def at_end(self, configuration: LookaheadConfiguration) -> tuple[int, ...]:
        return self._reports(*self._obliged.ends(_unfinished(configuration.threads, self._program), configuration.kind))

    def _reports(self, certain: int, maybe: int) -> tuple[int, ...]:
        if not maybe:
            return self._program.match_reports(certain)
        doubtful = {min(pattern, ~pattern) for pattern in self._program.match_reports(maybe & ~certain)}
        return tuple(sorted(doubtful.union(self._program.match_reports(certain))))

    def _start(self, kind: int) -> ThreadGroups:
        groups = self._starts.get(kind)
        if groups is None:
            groups = {}
            for entry in self._program.starts:
                for lookaheads, items in self._obliged.enter(entry, kind).items():
                    groups[lookaheads] = groups.get(lookaheads, 0) | items
            self._starts[kind] = groups
        return groups

    def _threads(self, groups: ThreadGroups) -> Threads:
        groups = simplified({lookaheads: items & self._kept for lookaheads, items in groups.items()})
        if _are_more(groups, self._most_groups):
            plain, doubtful = groups.get(NONE, 0), 0
            for items in groups.values():
                doubtful |= items
            groups = {NONE: plain, DOUBT: doubtful & ~plain}
        program = self._program
        same = self._same
        if len(same) > _MOST_SHARED:
            same.clear()
            same.update(_CONSTANTS)
        found = [
            (same.setdefault(lookaheads, lookaheads), program.without_superfluous(items))
            for lookaheads, items in groups.items()
            if items
        ]
        threads = frozenset([same.setdefault(group, group) for group in found])
        known: Threads = same.setdefault(threads, threads)
        return known


def _unfinished(threads: Threads, program: NfaProgram) -> Threads:
    """The threads without the ends that were reported already: those without pending lookaheads, or in doubt."""
    ended = [group for group in threads if group[1] & program.ends and (not group[0] or group[0] is DOUBT)]
    if not ended:
        return threads
    return (threads - frozenset(ended)) | {(group[0], group[1] & program.threads) for group in ended}


def _are_more(groups: ThreadGroups, most: int) -> bool:
    """Whether there are more groups, those within pending lookaheads included."""
    size = 0
    pending: list[Iterable[PendingLookaheads]] = [groups]
    while pending:
        for lookaheads in pending.pop():
            size += 1
            pending.extend([[inner for inner, _ in lookahead.threads] for lookahead in lookaheads])
        if size > most:
            return True
    return False
