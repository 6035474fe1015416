"""How much memory the cache of an automaton takes, and what happens when that is too much."""

from __future__ import annotations

from collections.abc import Callable

BYTES_PER_STATE = 1200
"""The estimated size of a state with a table of some entries and its place in the cache."""


class Budget:
    """Estimates what cached states take, and has all of them forgotten when it is too much."""

    __slots__ = ("_forget", "_limit", "_spent")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._spent = 0
        self._forget: list[Callable[[], None]] = []

    def empties(self, forget: Callable[[], None]) -> None:
        """Have `forget` called when memory runs out; it must drop all states of a cache."""
        self._forget.append(forget)

    def spend(self) -> None:
        """A state was cached."""
        self._spent += BYTES_PER_STATE

    def make_room(self) -> None:
        """Empty all caches if they are full. States that somebody still holds go on to work."""
        if self._spent > self._limit:
            for forget in self._forget:
                forget()
            self._spent = 0
