"""States of several leaves joined to one: however many leaves there are, a unit costs one look-up.

A joined state is the tuple of the states of its parts. What is new to it is mostly known to its parts, so that a miss
costs a look-up in each of them. `Inner` states join leaves by classes of units; a `Root` joins all, and is a table by
units themselves, from which `functools.reduce` reads at the speed of C.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, Self

from ttsr_ls.esregex.automaton.budget import Budget
from ttsr_ls.esregex.automaton.table import Table


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
        """The numbers of its clocks."""
        ...

    def forget(self) -> None:
        """Drop all states, also for those who still hold one."""
        ...


class Arrival(Exception):
    """Raised on the way to a root that tells something, so that such a way is never in its table."""

    def __init__(self, root: Root) -> None:
        super().__init__()
        self.root = root


class Inner(Table[int, "Inner"]):
    """The states of some leaves."""

    __slots__ = ("_ended", "_product", "parts", "signals")

    def __init__(self, product: InnerProduct, parts: tuple[State, ...]) -> None:
        super().__init__()
        self._product = product
        self.parts = parts
        self.signals = _joined([part.signals for part in parts])
        self._ended: tuple[int, ...] | None = None

    def __missing__(self, number: int) -> Inner:
        target = self[number] = self._product.state(tuple([part[number] for part in self.parts]))
        return target

    @property
    def ended(self) -> tuple[int, ...]:
        """See `State.ended`."""
        if self._ended is None:
            self._ended = _joined([part.ended for part in self.parts])
        return self._ended

    def without(self, clock: int) -> Inner:
        """See `State.without`."""
        return self._product.state(self._product.parts_without(self.parts, clock))


class Root(Table[str, "Root"]):
    """The states of all leaves, as a table by units. Units beyond ASCII have to be mapped to representatives before."""

    __slots__ = ("_arrivals", "_ended", "_product", "parts", "signals")

    def __init__(self, product: RootProduct, parts: tuple[State, ...]) -> None:
        super().__init__()
        self._product = product
        self.parts = parts
        self.signals = _joined([part.signals for part in parts])
        self._arrivals: dict[str, Root] = {}
        self._ended: tuple[int, ...] | None = None

    def __missing__(self, unit: str) -> Root:
        target = self._arrivals.get(unit)
        if target is None:
            target = self._product.after(self, unit)
            if not target.signals:
                self[unit] = target
                return target
            self._arrivals[unit] = target
        raise Arrival(target)

    @property
    def ended(self) -> tuple[int, ...]:
        """See `State.ended`."""
        if self._ended is None:
            self._ended = _joined([part.ended for part in self.parts])
        return self._ended

    def without(self, clock: int) -> Root:
        """See `State.without`."""
        return self._product.state(self._product.parts_without(self.parts, clock))

    def forget(self) -> None:
        """Empty the table."""
        self.clear()
        self._arrivals.clear()


class _Product:
    """What inner products and roots have in common."""

    __slots__ = ("_budget", "_machines")

    def __init__(self, machines: Sequence[Machine], budget: Budget) -> None:
        self._machines = tuple(machines)
        self._budget = budget

    @property
    def clocks(self) -> range:
        """The numbers of the clocks of all parts, which come one after the other."""
        return range(self._machines[0].clocks.start, self._machines[-1].clocks.stop)

    def parts_without(self, parts: tuple[State, ...], clock: int) -> tuple[State, ...]:
        """The parts after a clock ran out."""
        pairs = zip(parts, self._machines, strict=True)
        return tuple([part.without(clock) if clock in machine.clocks else part for part, machine in pairs])


class InnerProduct(_Product):
    """Joins some leaves."""

    __slots__ = ("_states",)

    def __init__(self, machines: Sequence[Machine], budget: Budget) -> None:
        super().__init__(machines, budget)
        self._states: dict[tuple[State, ...], Inner] = {}

    @property
    def initial(self) -> Inner:
        """The state before any text."""
        return self.state(tuple([machine.initial for machine in self._machines]))

    def state(self, parts: tuple[State, ...]) -> Inner:
        """The state that joins these."""
        state = self._states.get(parts)
        if state is None:
            state = self._states[parts] = Inner(self, parts)
            self._budget.spend()
        return state

    def forget(self) -> None:
        """Drop all states, also for those who still hold one."""
        for state in self._states.values():
            state.clear()
        self._states.clear()
        for machine in self._machines:
            machine.forget()


class RootProduct(_Product):
    """Joins all leaves that a stream goes through with one look-up a unit."""

    __slots__ = ("_class_of", "_states")

    def __init__(self, machines: Sequence[Machine], budget: Budget, class_of: Callable[[int], int]) -> None:
        super().__init__(machines, budget)
        self._class_of = class_of
        budget.empties(self.forget)
        self._states: dict[tuple[State, ...], Root] = {}

    @property
    def initial(self) -> Root:
        """The state before any text."""
        return self.state(tuple([machine.initial for machine in self._machines]))

    def after(self, root: Root, unit: str) -> Root:
        """The state after a unit."""
        number = self._class_of(ord(unit))
        return self.state(tuple([part[number] for part in root.parts]))

    def state(self, parts: tuple[State, ...]) -> Root:
        """The state that joins these."""
        state = self._states.get(parts)
        if state is None:
            self._budget.make_room()
            state = self._states[parts] = Root(self, parts)
            self._budget.spend()
        return state

    def forget(self) -> None:
        """Drop all states, also for those who still hold one."""
        for state in self._states.values():
            state.forget()
        self._states.clear()
        for machine in self._machines:
            machine.forget()


def _joined(signals: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    if not any(signals):
        return ()
    return tuple(sorted([signal for part in signals for signal in part]))
