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
    def patterns(self) -> tuple[int, ...]:
        """Those that became final with the unit that led here; the complement `~p` says that `p` may be final."""
        ...

    @property
    def ended(self) -> tuple[int, ...]:
        """Those that match, or may if complemented, if the text ends here; those final before are left out."""
        ...


class Machine(Protocol):
    """Where a state belongs to."""

    @property
    def initial(self) -> State:
        """The state before any text."""
        ...

    def forget(self) -> None:
        """Drop all states, also for those who still hold one."""
        ...


class Arrival(Exception):
    """Raised on the way to a root at which patterns became final, so that such a way is never in a table."""

    def __init__(self, root: Root) -> None:
        super().__init__()
        self.root = root


class Inner(Table[int, "Inner"]):
    """The states of some leaves."""

    __slots__ = ("_ended", "_product", "parts", "patterns")

    def __init__(self, product: InnerProduct, parts: tuple[State, ...]) -> None:
        super().__init__()
        self._product = product
        self.parts = parts
        self.patterns = _joined([part.patterns for part in parts])
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


class InnerProduct:
    """Joins some leaves."""

    __slots__ = ("_budget", "_machines", "_states")

    def __init__(self, machines: Sequence[Machine], budget: Budget) -> None:
        self._machines = tuple(machines)
        self._budget = budget
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
            self._budget.spend(state)
        return state

    def forget(self) -> None:
        """Drop all states, also for those who still hold one."""
        for state in self._states.values():
            state.clear()
        self._states.clear()
        for machine in self._machines:
            machine.forget()


class Root(Table[str, "Root"]):
    """The states of all leaves, as a table by units. Units beyond ASCII have to be mapped to representatives before."""

    __slots__ = ("_ended", "_product", "parts", "patterns")

    def __init__(self, product: RootProduct, parts: tuple[State, ...]) -> None:
        super().__init__()
        self._product = product
        self.parts = parts
        self.patterns = _joined([part.patterns for part in parts])
        self._ended: tuple[int, ...] | None = None

    def __missing__(self, unit: str) -> Root:
        target = self._product.after(self, unit)
        if target.patterns:
            raise Arrival(target)
        self[unit] = target
        return target

    @property
    def ended(self) -> tuple[int, ...]:
        """See `State.ended`."""
        if self._ended is None:
            self._ended = _joined([part.ended for part in self.parts])
        return self._ended


class RootProduct:
    """Joins all leaves."""

    __slots__ = ("_budget", "_class_of", "_machines", "_states")

    def __init__(self, machines: Sequence[Machine], budget: Budget, class_of: Callable[[int], int]) -> None:
        self._machines = tuple(machines)
        self._budget = budget
        self._class_of = class_of
        self._states: dict[tuple[State, ...], Root] = {}

    @property
    def initial(self) -> Root:
        """The state before any text."""
        return self._state(tuple([machine.initial for machine in self._machines]))

    def after(self, root: Root, unit: str) -> Root:
        """The state after a unit."""
        number = self._class_of(ord(unit))
        return self._state(tuple([part[number] for part in root.parts]))

    def _state(self, parts: tuple[State, ...]) -> Root:
        state = self._states.get(parts)
        if state is None:
            if self._budget.is_exceeded:
                self.forget()
                self._budget.refill()
            state = self._states[parts] = Root(self, parts)
            self._budget.spend(state)
        return state

    def forget(self) -> None:
        """Drop all states, also for those who still hold one."""
        for state in self._states.values():
            state.clear()
        self._states.clear()
        for machine in self._machines:
            machine.forget()


def _joined(patterns: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    if not any(patterns):
        return ()
    return tuple(sorted([pattern for part in patterns for pattern in part]))
