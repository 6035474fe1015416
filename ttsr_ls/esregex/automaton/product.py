"""States of several leaves joined to one: however many leaves there are, a unit costs one look-up.

A joined state is the tuple of the states of its parts. What is new to it is mostly known to its parts, so that a miss
costs a look-up in each of them. `Inner` states join leaves by classes of units; `root` joins all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from ttsr_ls.esregex.automaton.leaf import AnyLeaf
from ttsr_ls.esregex.automaton.state import Parts, State, apart, named, together
from ttsr_ls.esregex.automaton.upkeep import Upkeep


class Machine(Protocol):
    """What states belong to: a leaf, or a product. It is asked only of its own states, whence the `Any`."""

    @property
    def initial(self) -> State:
        """The state before any text."""
        ...

    @property
    def clocks(self) -> range:
        """A range with the numbers of its clocks, and of none of those beside it."""
        ...

    def after(self, state: Any, number: int) -> State:
        """The state after a unit of the class with this number."""
        ...

    def ended(self, state: Any) -> tuple[int, ...]:
        """The signals of patterns that match, or may, if the text ends here, but for those told before."""
        ...

    def without(self, state: Any, clock: int) -> State:
        """The state after a clock ran out."""
        ...

    def pick(self, situations: Mapping[AnyLeaf, Any]) -> State:
        """The state that joins those of the situations of some leaves."""
        ...

    def spread(self, state: Any) -> dict[AnyLeaf, Any]:
        """The situations that a state is made of, by leaf."""
        ...


class Inner(State, frozen=True, eq=False, gc=False):
    """The states of some leaves."""

    parts: Parts


class Product:
    """Joins some leaves. It tells apart so many `classes` of units."""

    __slots__ = ("_classes", "_ended", "_made", "_states", "_table", "_upkeep", "machines")

    def __init__(self, machines: Sequence[Machine], upkeep: Upkeep, classes: int) -> None:
        self.machines = tuple(machines)
        self._upkeep = upkeep
        self._classes = classes
        self._states: dict[bytes, Inner] = {}
        """By the names of their parts."""
        self._table: dict[int, Inner] = {}
        """The states after others: after the state with the number `n`, for the class `c`, at `n * classes + c`."""
        self._ended: dict[int, tuple[int, ...]] = {}
        self._made = 0
        upkeep.store(self.drop)

    @property
    def initial(self) -> Inner:
        """The state before any text."""
        return self._state([machine.initial for machine in self.machines])

    @property
    def clocks(self) -> range:
        """See `Machine.clocks`. Those of the parts come one after the other."""
        return range(self.machines[0].clocks.start, self.machines[-1].clocks.stop)

    def after(self, state: Inner, number: int) -> Inner:
        """The state after a unit of the class with this number."""
        at = state.base + number
        target = self._table.get(at)
        if target is None:
            target = self._table[at] = self._state(parts_after(self.machines, state.parts, number))
        return target

    def ended(self, state: Inner) -> tuple[int, ...]:
        """See `Machine.ended`."""
        ended = self._ended.get(state.base)
        if ended is None:
            ended = self._ended[state.base] = parts_ended(self.machines, state.parts)
        return ended

    def without(self, state: Inner, clock: int) -> Inner:
        """See `Machine.without`."""
        return self._state(parts_without(self.machines, state.parts, clock))

    def pick(self, situations: Mapping[AnyLeaf, Any]) -> Inner:
        """See `Machine.pick`."""
        return self._state([machine.pick(situations) for machine in self.machines])

    def spread(self, state: Inner) -> dict[AnyLeaf, Any]:
        """See `Machine.spread`."""
        return parts_spread(self.machines, state.parts)

    def _state(self, parts: Sequence[State]) -> Inner:
        names = b"".join([part.name for part in parts])
        state = self._states.get(names)
        if state is None:
            base, name = named(self._made, self._classes)
            self._made += 1
            state = self._states[names] = Inner(base, name, joined([part.signals for part in parts]), together(parts))
            self._upkeep.add()
        return state

    def drop(self) -> None:
        """Drop all states."""
        dropped, self._states = self._states, {}
        self._upkeep.forget(dropped, dropped.popitem)
        self._upkeep.empty(self._table, self._table.popitem)
        self._upkeep.empty(self._ended, self._ended.popitem)
        self._table, self._ended = {}, {}


def joined(signals: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The signals of all parts."""
    if not any(signals):
        return ()
    return tuple(sorted([signal for part in signals for signal in part]))


def parts_after(machines: tuple[Machine, ...], parts: Parts, number: int) -> list[State]:
    """The parts after a unit of the class with this number."""
    return [machine.after(part, number) for machine, part in zip(machines, apart(parts), strict=True)]


def parts_ended(machines: tuple[Machine, ...], parts: Parts) -> tuple[int, ...]:
    """What all parts tell if the text ends here."""
    return joined([machine.ended(part) for machine, part in zip(machines, apart(parts), strict=True)])


def parts_without(machines: tuple[Machine, ...], parts: Parts, clock: int) -> list[State]:
    """The parts after a clock ran out."""
    pairs = zip(machines, apart(parts), strict=True)
    return [machine.without(part, clock) if clock in machine.clocks else part for machine, part in pairs]


def parts_spread(machines: tuple[Machine, ...], parts: Parts) -> dict[AnyLeaf, Any]:
    """The situations of leaves that parts are made of, by leaf."""
    found: dict[AnyLeaf, Any] = {}
    for machine, part in zip(machines, apart(parts), strict=True):
        found |= machine.spread(part)
    return found
