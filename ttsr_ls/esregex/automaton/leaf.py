"""A leaf: the patterns of one group, and a cache of the situations that their threads were in.

What a situation is, and how a unit changes it, is a matter of the leaf's `Dynamics`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Generic, Protocol, TypeVar

from ttsr_ls.esregex.automaton.program import Program
from ttsr_ls.esregex.automaton.table import Table
from ttsr_ls.esregex.automaton.upkeep import Upkeep

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

    def spare(self) -> None:
        """From now on every step counts, as none is cached: cost may be saved by telling less exactly."""
        ...

    def at_end(self, situation: Situation) -> tuple[int, ...]:
        """The patterns that match, or may if complemented, if the text ends here; those final before are left out."""
        ...


class LeafState(Table[int, "LeafState[Situation]"], Generic[Situation]):
    """A situation as a table from the class of the next unit to the state after it."""

    __slots__ = ("_by_key", "_ended", "leaf", "signals", "situation")

    def __init__(self, leaf: Leaf[Situation], situation: Situation) -> None:
        super().__init__()
        self.leaf = leaf
        self.situation = situation
        self.signals = leaf.dynamics.signals(situation)
        self._by_key: dict[int, LeafState[Situation]] = {}
        self._ended: tuple[int, ...] | None = None

    def __missing__(self, number: int) -> LeafState[Situation]:
        leaf = self.leaf
        key = leaf.class_key(number)
        target = self._by_key.get(key)
        if target is None:
            target = self._by_key[key] = leaf.state(leaf.dynamics.step(self.situation, key))
        self[number] = target
        return target

    @property
    def ended(self) -> tuple[int, ...]:
        """See `Dynamics.at_end`."""
        if self._ended is None:
            self._ended = self.leaf.dynamics.at_end(self.situation)
        return self._ended

    def without(self, clock: int) -> LeafState[Situation]:
        """The state after a clock ran out."""
        return self.leaf.state(self.leaf.dynamics.without(self.situation, clock))

    def forget(self) -> None:
        """Empty the table."""
        self.clear()
        self._by_key.clear()


class Leaf(Generic[Situation]):
    """The states of a leaf. Whenever it has `most_states` more of them, it says so by `on_excess`."""

    __slots__ = ("_excess", "_keys", "_most_states", "_program", "_states", "_upkeep", "dynamics", "on_excess")

    def __init__(self, program: Program, dynamics: Dynamics[Situation], upkeep: Upkeep, most_states: int) -> None:
        self.dynamics = dynamics
        self._program = program
        self._upkeep = upkeep
        self._states: dict[Situation, LeafState[Situation]] = {}
        self._keys: dict[int, int] = {}
        self._most_states = self._excess = most_states
        self.on_excess: Callable[[AnyLeaf], None] | None = None
        upkeep.store(self._drop)

    @property
    def clocks(self) -> range:
        """The numbers of the clocks of this leaf."""
        first = self._program.first_clock
        return range(first, first + len(self._program.clocks))

    @property
    def patterns(self) -> tuple[int, ...]:
        """The patterns, and parts of patterns, that are in this leaf."""
        return self._program.patterns

    @property
    def initial(self) -> LeafState[Situation]:
        """The state before any text."""
        return self.state(self.dynamics.initial)

    def state(self, situation: Situation) -> LeafState[Situation]:
        """The state of a situation."""
        state = self._states.get(situation)
        if state is None:
            state = self._states[situation] = LeafState(self, situation)
            if len(self._states) > self._excess and self.on_excess is not None:
                self._excess += self._most_states
                self.on_excess(self)
            self._upkeep.add()
        return state

    def pick(self, states: Mapping[AnyLeaf, AnyLeafState]) -> AnyLeafState:
        """The state of this leaf among those of all leaves."""
        return states[self]

    def _drop(self) -> None:
        dropped, self._states = self._states, {}
        self._upkeep.forget(dropped)
        self._excess = self._most_states

    def class_key(self, number: int) -> int:
        """What this leaf sees of the class with this number."""
        key = self._keys.get(number)
        if key is None:
            key = self._keys[number] = self._program.class_key(number)
        return key


AnyLeaf = Leaf[Any]
AnyLeafState = LeafState[Any]
