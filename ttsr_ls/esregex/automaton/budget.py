"""How much memory the cache of an automaton may take, and how much it has taken."""

from __future__ import annotations

from collections.abc import Sized

BYTES_PER_STATE = 500
"""A state's own size with its place in the cache; tables are counted by entries."""

BYTES_PER_ENTRY = 100


class Budget:
    """Counts estimated bytes. Whoever owns the cache empties it when `is_exceeded`, and then calls `refill`."""

    __slots__ = ("_limit", "spent", "states")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.spent = 0
        self.states = 0

    def spend(self, state: Sized) -> None:
        """A state was cached."""
        self.spent += BYTES_PER_STATE
        self.states += 1

    @property
    def is_exceeded(self) -> bool:
        """Whether the cache has to be emptied."""
        return self.spent > self._limit

    def refill(self) -> None:
        """The cache is empty again."""
        self.spent = 0
        self.states = 0
