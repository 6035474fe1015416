"""A leaf: the patterns of one group, and a cache of the situations that their threads were in.

What a situation is, and how a unit changes it, is a matter of the leaf's `Dynamics`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, Protocol, TypeVar

from ttsr_ls.esregex.automaton.program import Program
from ttsr_ls.esregex.automaton.state import State, name_of
from ttsr_ls.esregex.automaton.upkeep import Upkeep

Situation = TypeVar("Situation", bound=Hashable)


class Dynamics(Protocol[Situation]):
    """How the threads of a program behave. Situations are values: they can be compared, and never change."""

    @property
    def initial(self) -> Situation:
        """The situation before any text."""
        ...

    def blank(self, key: int) -> Situation:
        """The situation after a unit with this class key, if no thread is left of what was before."""
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


class Leaf(Generic[Situation]):
    """The states of a leaf. Whenever it has `most_states` more of them, it says so by `on_excess`."""

    __slots__ = (
        "_class_keys",
        "_ended",
        "_excess",
        "_made",
        "_most_states",
        "_program",
        "_states",
        "_upkeep",
        "dynamics",
        "number",
        "on_excess",
        "own_classes",
        "table",
    )

    def __init__(
        self, number: int, program: Program, dynamics: Dynamics[Situation], upkeep: Upkeep, most_states: int
    ) -> None:
        self.number = number
        self.dynamics = dynamics
        self._program = program
        self._upkeep = upkeep
        self._class_keys, self.own_classes = program.own_classes()
        self._states: dict[Situation, State] = {}
        self.table: dict[int, State] = {}
        """The states after others: after the state with the number `n`, for the class `c` of this leaf's own."""
        self._ended: dict[int, tuple[int, ...]] = {}
        self._made = 0
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
    def initial(self) -> State:
        """The state before any text."""
        return self.state(self.dynamics.initial)

    def blank(self, number: int) -> State:
        """The state after a unit of the class with this number, if no thread is left of what was before."""
        return self.state(self.dynamics.blank(self.class_key(number)))

    def after(self, state: State, number: int) -> State:
        """The state after a unit of the class with this number."""
        own = self.own_classes[number]
        at = state.base + own
        target = self.table.get(at)
        if target is None:
            target = self.table[at] = self.state(self.dynamics.step(state.situation, self._class_keys[own]))
        return target

    def state(self, situation: Situation) -> State:
        """The state of a situation."""
        state = self._states.get(situation)
        if state is None:
            name, base = name_of(self.number, self._made), self._made * len(self._class_keys)
            self._made += 1
            state = State(name, self.number, base, self.dynamics.signals(situation), situation)
            self._states[situation] = state
            if len(self._states) > self._excess and self.on_excess is not None:
                self._excess += self._most_states
                self.on_excess(self)
            self._upkeep.add()
        return state

    def ended(self, state: State) -> tuple[int, ...]:
        """See `Dynamics.at_end`."""
        ended = self._ended.get(state.base)
        if ended is None:
            ended = self._ended[state.base] = self.dynamics.at_end(state.situation)
        return ended

    def without(self, state: State, clock: int) -> State:
        """The state after a clock ran out."""
        return self.state(self.dynamics.without(state.situation, clock))

    def class_key(self, number: int) -> int:
        """What this leaf sees of the class with this number."""
        return self._class_keys[self.own_classes[number]]

    def _drop(self) -> None:
        dropped, self._states = self._states, {}
        self._upkeep.forget(dropped, dropped.popitem)
        self._upkeep.empty(self.table, self.table.popitem)
        self._upkeep.empty(self._ended, self._ended.popitem)
        self.table, self._ended = {}, {}
        self._excess = self._most_states


AnyLeaf = Leaf[Any]
