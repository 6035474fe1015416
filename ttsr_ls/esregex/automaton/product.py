"""States of several leaves joined to one: however many leaves there are, a unit costs one look-up.

A joined state is the tuple of the states of its parts. What is new to it is mostly known to its parts, so that a miss
costs a look-up in each of them. `Inner` states join leaves by classes of units; `root` joins all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, Self

from ttsr_ls.esregex.automaton.leaf import AnyLeaf, AnyLeafState, LeafState
from ttsr_ls.esregex.automaton.table import Table
from ttsr_ls.esregex.automaton.upkeep import Upkeep


class State(Protocol):
    """What is joined: a state of a leaf, or an inner one."""

    def __getitem__(self, number: int, /) -> Self:
        """The state after a unit of the class with this number."""
        ...

    @property
    def signals(self) -> tuple[int, ...]:
        """What is told of the unit that led here (see `signals`)."""
        ...

    @property
    def ended(self) -> tuple[int, ...]:
        """The signals of patterns that match, or may, if the text ends here, but for those told before."""
        ...

    def without(self, clock: int) -> Self:
        """The state after a clock ran out."""
        ...


class Machine(Protocol):
    """Where a state belongs to."""

    @property
    def initial(self) -> State:
        """The state before any text."""
        ...

    @property
    def clocks(self) -> range:
        """A range with the numbers of its clocks, and of none of those beside it."""
        ...

    def pick(self, states: Mapping[AnyLeaf, AnyLeafState]) -> State:
        """The state that joins the states of some leaves."""
        ...


class Inner(Table[int, "Inner"]):
    """The states of some leaves."""

    __slots__ = ("_ended", "_product", "parts", "signals")

    def __init__(self, product: Product, parts: tuple[State, ...]) -> None:
        super().__init__()
        self._product = product
        self.parts = parts
        self.signals = joined([part.signals for part in parts])
        self._ended: tuple[int, ...] | None = None

    def __missing__(self, number: int) -> Inner:
        target = self[number] = self._product.state(tuple([part[number] for part in self.parts]))
        return target

    @property
    def ended(self) -> tuple[int, ...]:
        """See `State.ended`."""
        if self._ended is None:
            self._ended = joined([part.ended for part in self.parts])
        return self._ended

    def without(self, clock: int) -> Inner:
        """See `State.without`."""
        return self._product.state(parts_without(self.parts, self._product.machines, clock))

    def forget(self) -> None:
        """Empty the table."""
        self.clear()


class Product:
    """Joins some leaves."""

    __slots__ = ("_states", "_upkeep", "machines")

    def __init__(self, machines: Sequence[Machine], upkeep: Upkeep) -> None:
        self.machines = tuple(machines)
        self._upkeep = upkeep
        self._states: dict[tuple[State, ...], Inner] = {}
        upkeep.store(self.drop)

    @property
    def initial(self) -> Inner:
        """The state before any text."""
        return self.state(tuple([machine.initial for machine in self.machines]))

    @property
    def clocks(self) -> range:
        """See `Machine.clocks`. Those of the parts come one after the other."""
        return range(self.machines[0].clocks.start, self.machines[-1].clocks.stop)

    def state(self, parts: tuple[State, ...]) -> Inner:
        """The state that joins these."""
        state = self._states.get(parts)
        if state is None:
            state = self._states[parts] = Inner(self, parts)
            self._upkeep.add()
        return state

    def pick(self, states: Mapping[AnyLeaf, AnyLeafState]) -> Inner:
        """The state that joins the states of some leaves."""
        return self.state(tuple([machine.pick(states) for machine in self.machines]))

    def drop(self) -> None:
        """Drop all states."""
        dropped, self._states = self._states, {}
        self._upkeep.forget(dropped)


def joined(signals: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The signals of all parts."""
    if not any(signals):
        return ()
    return tuple(sorted([signal for part in signals for signal in part]))


def parts_without(parts: tuple[State, ...], machines: tuple[Machine, ...], clock: int) -> tuple[State, ...]:
    """The parts after a clock ran out."""
    pairs = zip(parts, machines, strict=True)
    return tuple([part.without(clock) if clock in machine.clocks else part for part, machine in pairs])


def leaf_states(parts: Sequence[State]) -> dict[AnyLeaf, AnyLeafState]:
    """The states of leaves that parts are made of, by leaf."""
    found: dict[AnyLeaf, AnyLeafState] = {}
    pending = list(parts)
    while pending:
        state = pending.pop()
        if isinstance(state, Inner):
            pending.extend(state.parts)
        elif isinstance(state, LeafState):
            found[state.leaf] = state
    return found
