"""How threads behave that may carry obligations: lookaheads that they passed (`obligations`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ttsr_ls.esregex.automaton.dfa.moves import Moves
from ttsr_ls.esregex.automaton.dfa.obligations import (
    DOUBT,
    NONE,
    Groups,
    Obligations,
    ObligedMoves,
    Threads,
    simplified,
)
from ttsr_ls.esregex.automaton.dfa.program import Program
from ttsr_ls.esregex.automaton.nfa.items import START

_MOST_GROUPS = 12
"""How many groups a pattern, those within obligations included, are told apart before obligations are given up."""

_MOST_GROUPS_ALONE = 8
"""How many of them in all, when nothing is cached: each costs about 5 µs a unit."""


_MOST_SHARED = 5_000
"""How many values are remembered to be shared."""

_CONSTANTS = {NONE: NONE, DOUBT: DOUBT}


class Obliged(NamedTuple):
    """The kind of a place, the threads of lookbehinds there, and those of patterns."""

    kind: int
    behind: int
    threads: Threads


class ObligedDynamics:
    """The `Dynamics` of patterns with any lookarounds."""

    __slots__ = ("_kept", "_most_groups", "_moves", "_obliged", "_program", "_same", "_starts")

    def __init__(self, program: Program, moves: Moves, left_out: int = 0) -> None:
        """Without the items `left_out`, which are those of patterns that need not be matched any more."""
        self._program = program
        self._moves = moves
        self._kept = ~left_out
        self._obliged = ObligedMoves(program, self._moves)
        self._starts: dict[int, Groups] = {}
        self._most_groups = _MOST_GROUPS * len(program.starts)
        self._same: dict[Any, Any] = dict(_CONSTANTS)
        """Each value by itself, so that situations share what is equal in them: Python's collector of cycles looks
        through all frozen sets, and at a time that nobody chose."""

    @property
    def initial(self) -> Obliged:
        """The situation before any text."""
        return self._at(START)

    def blank(self, key: int) -> Obliged:
        return self._at(self._program.by_class(key)[1])

    def everything(self, key: int) -> Obliged | None:
        """None: threads without obligations would be too many, and those with any are unknown."""
        return None

    def _at(self, kind: int) -> Obliged:
        """The situation at a place of this kind, where no thread came to."""
        kind, behind = self._moves.arrive_behind(0, kind)
        return Obliged(kind, behind, self._threads(self._start(kind)))

    def step(self, situation: Obliged, key: int) -> Obliged:
        """The situation after a unit with this class key."""
        consumers, kind_after = self._program.by_class(key)
        behind = self._moves.let_pass(situation.behind, situation.kind, key) & consumers
        kind_after, behind = self._moves.arrive_behind(behind, kind_after)
        groups = self._obliged.step(_unfinished(situation.threads, self._program), situation.kind, key, kind_after)
        for obligations, items in self._start(kind_after).items():
            groups[obligations] = groups.get(obligations, 0) | items
        return Obliged(kind_after, behind, self._threads(groups))

    def without(self, situation: Obliged, clock: int) -> Obliged:
        """The same: there are no clocks, because each group would need its own."""
        return situation

    def signals(self, situation: Obliged) -> tuple[int, ...]:
        certain = maybe = 0
        for obligations, items in situation.threads:
            if not obligations:
                certain |= items
            elif obligations is DOUBT:
                maybe |= items
        return self._told(certain, maybe)

    def limited(self, situation: Obliged) -> Obliged:
        groups = dict(situation.threads)
        return Obliged(situation.kind, situation.behind & self._kept, self._threads(groups))

    def spare(self) -> None:
        self._most_groups = _MOST_GROUPS_ALONE

    def at_end(self, situation: Obliged) -> tuple[int, ...]:
        return self._told(*self._obliged.ends(_unfinished(situation.threads, self._program), situation.kind))

    def _told(self, certain: int, maybe: int) -> tuple[int, ...]:
        if not maybe:
            return self._program.signals(certain)
        doubtful = {min(pattern, ~pattern) for pattern in self._program.signals(maybe & ~certain)}
        return tuple(sorted(doubtful.union(self._program.signals(certain))))

    def _start(self, kind: int) -> Groups:
        groups = self._starts.get(kind)
        if groups is None:
            groups = {}
            for entry in self._program.starts:
                for obligations, items in self._obliged.enter(entry, kind).items():
                    groups[obligations] = groups.get(obligations, 0) | items
            self._starts[kind] = groups
        return groups

    def _threads(self, groups: Groups) -> Threads:
        groups = simplified({obligations: items & self._kept for obligations, items in groups.items()})
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
            (same.setdefault(obligations, obligations), program.without_superfluous(items))
            for obligations, items in groups.items()
            if items
        ]
        threads = frozenset([same.setdefault(group, group) for group in found])
        known: Threads = same.setdefault(threads, threads)
        return known


def _unfinished(threads: Threads, program: Program) -> Threads:
    """The threads without the ends that were told already: those without obligations, or in doubt."""
    ended = [group for group in threads if group[1] & program.ends and (not group[0] or group[0] is DOUBT)]
    if not ended:
        return threads
    return (threads - frozenset(ended)) | {(group[0], group[1] & program.threads) for group in ended}


def _are_more(groups: Groups, most: int) -> bool:
    """Whether there are more groups, those within obligations included."""
    size = 0
    pending: list[Iterable[Obligations]] = [groups]
    while pending:
        for obligations in pending.pop():
            size += 1
            pending.extend([[inner for inner, _ in obligation.threads] for obligation in obligations])
        if size > most:
            return True
    return False
