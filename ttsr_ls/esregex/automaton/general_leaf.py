"""A leaf whose patterns have lookarounds of more than a unit.

Lookbehinds run beside the patterns, forward, from every place, and mark the kind of the place where they end. Threads
that passed a lookahead carry it as an obligation (`obligations`). Owns the cache of the sets of threads that were met.
"""

from __future__ import annotations

from typing import NamedTuple

from ttsr_ls.esregex.automaton.budget import Budget
from ttsr_ls.esregex.automaton.items import START
from ttsr_ls.esregex.automaton.moves import Moves
from ttsr_ls.esregex.automaton.obligations import DOUBT, NONE, Groups, ObligedMoves, Threads, simplified
from ttsr_ls.esregex.automaton.program import Program
from ttsr_ls.esregex.automaton.table import Table

MOST_OBLIGED = 40
"""How many groups, those within obligations included, are told apart before their obligations are given up."""


class Situation(NamedTuple):
    """The kind of a place, the threads of lookbehinds there, and those of patterns."""

    kind: int
    behind: int
    threads: Threads


class GeneralState(Table[int, "GeneralState"]):
    """A situation as a table from the class of the next unit to the state after it.

    `patterns` are those that became final with the unit that led here; the complement `~p` says that `p` may be final.
    """

    __slots__ = ("_by_key", "_ended", "_leaf", "patterns", "situation")

    def __init__(self, leaf: GeneralLeaf, situation: Situation) -> None:
        super().__init__()
        self._leaf = leaf
        self.situation = situation
        self.patterns = leaf.final_at(situation)
        self._by_key: dict[int, GeneralState] = {}
        self._ended: tuple[int, ...] | None = None

    def __missing__(self, number: int) -> GeneralState:
        leaf = self._leaf
        key = leaf.class_key(number)
        target = self._by_key.get(key)
        if target is None:
            target = self._by_key[key] = leaf.state(leaf.step(self.situation, key))
        self[number] = target
        return target

    @property
    def ended(self) -> tuple[int, ...]:
        """The patterns that match, or may if complemented, if the text ends here; those final before are left out."""
        if self._ended is None:
            self._ended = self._leaf.at_end(self.situation)
        return self._ended

    def forget(self) -> None:
        """Empty the table."""
        self.clear()
        self._by_key.clear()


class GeneralLeaf:
    """The threads of the patterns of one leaf."""

    __slots__ = ("_behinds", "_budget", "_keys", "_moves", "_obliged", "_program", "_starts", "_states")

    def __init__(self, program: Program, budget: Budget) -> None:
        self._program = program
        self._moves = Moves(program)
        self._obliged = ObligedMoves(program, self._moves)
        self._budget = budget
        self._states: dict[Situation, GeneralState] = {}
        self._keys: dict[int, int] = {}
        self._starts: dict[int, Groups] = {}

    @property
    def initial(self) -> GeneralState:
        """The state before any text."""
        kind, behind = self._behind(0, START)
        return self.state(Situation(kind, behind, self._frozen(self._start(kind))))

    def class_key(self, number: int) -> int:
        """See `Program.class_key`."""
        key = self._keys.get(number)
        if key is None:
            key = self._keys[number] = self._program.class_key(number)
        return key

    def state(self, situation: Situation) -> GeneralState:
        """The state of a situation."""
        state = self._states.get(situation)
        if state is None:
            state = self._states[situation] = GeneralState(self, situation)
            self._budget.spend(state)
        return state

    def step(self, situation: Situation, key: int) -> Situation:
        """The situation after a unit with this class key."""
        consumers, kind_after = self._program.by_class(key)
        behind = self._moves.let_pass(situation.behind, situation.kind, key) & consumers
        kind_after, behind = self._behind(behind, kind_after)
        groups = self._obliged.step(_unfinished(situation.threads, self._program), situation.kind, key, kind_after)
        for obligations, items in self._start(kind_after).items():
            groups[obligations] = groups.get(obligations, 0) | items
        return Situation(kind_after, behind, self._frozen(groups))

    def _behind(self, moving: int, kind: int) -> tuple[int, int]:
        """A place's kind with what lookbehinds say of it, and their threads there. `moving` just consumed a unit."""
        threads = 0
        for body, end, items, kind_bit in self._program.behinds:
            # Those inside of others come first, so the kind says already what this one asks of them.
            there = self._moves.follow(moving & items, kind) | self._moves.enter(body, kind)
            if there & end:
                kind |= kind_bit
            threads |= there & ~end
        return kind, threads

    def final_at(self, situation: Situation) -> tuple[int, ...]:
        """See `GeneralState.patterns`."""
        certain = maybe = 0
        for obligations, items in situation.threads:
            if not obligations:
                certain |= items
            elif obligations == DOUBT:
                maybe |= items
        return self._told(certain, maybe)

    def at_end(self, situation: Situation) -> tuple[int, ...]:
        """See `GeneralState.ended`."""
        return self._told(*self._obliged.ends(_unfinished(situation.threads, self._program), situation.kind))

    def _told(self, certain: int, maybe: int) -> tuple[int, ...]:
        if not maybe:
            return self._program.patterns(certain)
        doubtful = {min(pattern, ~pattern) for pattern in self._program.patterns(maybe & ~certain)}
        return tuple(sorted(doubtful.union(self._program.patterns(certain))))

    def _start(self, kind: int) -> Groups:
        groups = self._starts.get(kind)
        if groups is None:
            groups = {}
            for entry in self._program.starts:
                for obligations, items in self._obliged.enter(entry, kind).items():
                    groups[obligations] = groups.get(obligations, 0) | items
            self._starts[kind] = groups
        return groups

    def _frozen(self, groups: Groups) -> Threads:
        groups = simplified(groups)
        if len(groups) > 1 and _size(groups.items()) > MOST_OBLIGED:
            plain = groups.pop(NONE, 0)
            doubtful = 0
            for items in groups.values():
                doubtful |= items
            groups = {NONE: plain, DOUBT: doubtful & ~plain}
        program = self._program
        return frozenset(
            [(obligations, program.without_superfluous(items)) for obligations, items in groups.items() if items]
        )

    def forget(self) -> None:
        """Drop all states, also for those who still hold one."""
        for state in self._states.values():
            state.forget()
        self._states.clear()


def _unfinished(threads: Threads, program: Program) -> Threads:
    """The threads without the ends that were told already: those without obligations, or in doubt."""
    ended = [group for group in threads if group[1] & program.ends and (not group[0] or group[0] == DOUBT)]
    if not ended:
        return threads
    return (threads - frozenset(ended)) | {(group[0], group[1] & program.threads) for group in ended}


def _size(groups: object) -> int:
    size = 0
    pending = [groups]
    while pending:
        for obligations, _ in pending.pop():  # type: ignore[attr-defined]
            size += 1
            pending.extend([obligation.threads for obligation in obligations])
    return size
