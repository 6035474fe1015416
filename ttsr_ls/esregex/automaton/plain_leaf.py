"""A leaf without obligations: a set of threads is one integer, and a step of all of them a few operations on integers.

Owns how threads move, and the cache of the sets that were met (`PlainState`).
"""

from __future__ import annotations

from ttsr_ls.esregex.automaton.budget import Budget
from ttsr_ls.esregex.automaton.items import START
from ttsr_ls.esregex.automaton.moves import Moves
from ttsr_ls.esregex.automaton.program import END, Program
from ttsr_ls.esregex.automaton.table import Table


class PlainState(Table[int, "PlainState"]):
    """A set of threads at a place, as a table from the class of the next unit to the state after it.

    `patterns` are those that became final with the unit that led here; the complement `~p` says that `p` may be final.
    """

    __slots__ = ("_by_key", "_ended", "_leaf", "kind", "patterns", "threads")

    def __init__(self, leaf: PlainLeaf, threads: int, kind: int) -> None:
        super().__init__()
        self._leaf = leaf
        self.threads = threads
        self.kind = kind
        self.patterns = leaf.program.patterns(threads)
        self._by_key: dict[int, PlainState] = {}
        self._ended: tuple[int, ...] | None = None

    def __missing__(self, number: int) -> PlainState:
        leaf = self._leaf
        key = leaf.class_key(number)
        target = self._by_key.get(key)
        if target is None:
            target = self._by_key[key] = leaf.state(*leaf.step(self.threads, self.kind, key))
        self[number] = target
        return target

    @property
    def ended(self) -> tuple[int, ...]:
        """The patterns that match, or may if complemented, if the text ends here; those final before are left out."""
        if self._ended is None:
            self._ended = self._leaf.program.patterns(self._leaf.at_end(self.threads, self.kind))
        return self._ended

    def forget(self) -> None:
        """Empty the table."""
        self.clear()
        self._by_key.clear()


class PlainLeaf:
    """The threads of the patterns of one leaf."""

    __slots__ = ("_budget", "_keys", "_moves", "_states", "program")

    def __init__(self, program: Program, budget: Budget) -> None:
        self.program = program
        self._moves = Moves(program)
        self._budget = budget
        self._states: dict[tuple[int, int], PlainState] = {}
        self._keys: dict[int, int] = {}

    @property
    def initial(self) -> PlainState:
        """The state before any text."""
        return self.state(self._moves.start(START), START)

    def class_key(self, number: int) -> int:
        """See `Program.class_key`."""
        key = self._keys.get(number)
        if key is None:
            key = self._keys[number] = self.program.class_key(number)
        return key

    def state(self, threads: int, kind: int) -> PlainState:
        """The state of a set of threads at a place of some kind."""
        state = self._states.get((threads, kind))
        if state is None:
            state = self._states[threads, kind] = PlainState(self, threads, kind)
            self._budget.spend(state)
        return state

    def step(self, threads: int, kind: int, key: int) -> tuple[int, int]:
        """The threads, and the kind of the place, after a unit with this class key."""
        program, moves = self.program, self._moves
        threads = moves.let_pass(threads & program.threads, kind, key)
        consumers, kind = program.by_class(key)
        moved = moves.follow(threads & consumers, kind) | moves.start(kind) | threads & program.ends
        return program.without_superfluous(moved), kind

    def at_end(self, threads: int, kind: int) -> int:
        """The threads where no unit comes."""
        return self._moves.let_pass(threads & self.program.threads, kind, END)

    def forget(self) -> None:
        """Drop all states, also for those who still hold one."""
        for state in self._states.values():
            state.forget()
        self._states.clear()
