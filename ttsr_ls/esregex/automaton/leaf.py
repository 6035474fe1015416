"""A leaf: the patterns of one group, and a cache of the situations that their threads were in.

What a situation is, and how a unit changes it, is a matter of the leaf's `Dynamics`.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, Protocol, TypeVar

from ttsr_ls.esregex.automaton.budget import Budget
from ttsr_ls.esregex.automaton.program import Program
from ttsr_ls.esregex.automaton.table import Table

Situation = TypeVar("Situation", bound=Hashable)


class Dynamics(Protocol[Situation]):
    """How the threads of a program behave. Situations are values: they can be compared, and never change."""

    @property
    def initial(self) -> Situation:
        """The situation before any text."""
        ...

    def step(self, situation: Situation, key: int) -> Situation:
        """The situation after a unit with this class key."""
        ...

    def signals(self, situation: Situation) -> tuple[int, ...]:
        """What is told of the unit that led here (see `signals`)."""
        ...

    def without(self, situation: Situation, clock: int) -> Situation:
        """The situation after a clock ran out, with nothing left to be told."""
        ...

    def at_end(self, situation: Situation) -> tuple[int, ...]:
        """The patterns that match, or may if complemented, if the text ends here; those final before are left out."""
        ...


class LeafState(Table[int, "LeafState[Situation]"], Generic[Situation]):
    """A situation as a table from the class of the next unit to the state after it; `signals` is `Dynamics.signals`."""

    __slots__ = ("_by_key", "_ended", "_leaf", "_situation", "signals")

    def __init__(self, leaf: Leaf[Situation], situation: Situation, signals: tuple[int, ...]) -> None:
        super().__init__()
        self._leaf = leaf
        self._situation = situation
        self.signals = signals
        self._by_key: dict[int, LeafState[Situation]] = {}
        self._ended: tuple[int, ...] | None = None

    def __missing__(self, number: int) -> LeafState[Situation]:
        leaf = self._leaf
        key = leaf.class_key(number)
        target = self._by_key.get(key)
        if target is None:
            target = self._by_key[key] = leaf.state(leaf.dynamics.step(self._situation, key))
        self[number] = target
        return target

    @property
    def ended(self) -> tuple[int, ...]:
        """See `Dynamics.at_end`."""
        if self._ended is None:
            self._ended = self._leaf.dynamics.at_end(self._situation)
        return self._ended

    def without(self, clock: int) -> LeafState[Situation]:
        """The state after a clock ran out."""
        return self._leaf.state(self._leaf.dynamics.without(self._situation, clock))

    def forget(self) -> None:
        """Empty the table."""
        self.clear()
        self._by_key.clear()


class Leaf(Generic[Situation]):
    """The states of a leaf."""

    __slots__ = ("_budget", "_keys", "_program", "_states", "dynamics")

    def __init__(self, program: Program, dynamics: Dynamics[Situation], budget: Budget) -> None:
        self.dynamics = dynamics
        self._program = program
        self._budget = budget
        self._states: dict[Situation, LeafState[Situation]] = {}
        self._keys: dict[int, int] = {}

    @property
    def clocks(self) -> range:
        """The numbers of the clocks of this leaf."""
        first = self._program.first_clock
        return range(first, first + len(self._program.clocks))

    @property
    def initial(self) -> LeafState[Situation]:
        """The state before any text."""
        return self.state(self.dynamics.initial)

    def state(self, situation: Situation) -> LeafState[Situation]:
        """The state of a situation."""
        state = self._states.get(situation)
        if state is None:
            state = self._states[situation] = LeafState(self, situation, self.dynamics.signals(situation))
            self._budget.spend()
        return state

    def class_key(self, number: int) -> int:
        """What this leaf sees of the class with this number."""
        key = self._keys.get(number)
        if key is None:
            key = self._keys[number] = self._program.class_key(number)
        return key

    def forget(self) -> None:
        """Drop all states, also for those who still hold one."""
        for state in self._states.values():
            state.forget()
        self._states.clear()
