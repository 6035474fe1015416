"""Keeps the cache of an automaton within bounds: how many states there are, and what becomes of old ones."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Protocol, TypeVar

Key = TypeVar("Key", bound=Hashable)

_EMPTIED_AT_ONCE = 8
"""How many forgotten states are emptied whenever a new one comes: emptying thousands at once would be felt."""


class Forgettable(Protocol):
    """A state that can be emptied. Who still holds it can go on from it."""

    def forget(self) -> None:
        """Empty the table."""


State = TypeVar("State", bound=Forgettable)


class Upkeep:
    """Has all states of a cache forgotten when there are too many."""

    __slots__ = ("_drop", "_forgotten", "_limit", "_states", "flushes")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._states = 0
        self._drop: list[Callable[[], None]] = []
        self._forgotten: list[dict[Any, Any]] = []
        self.flushes = 0

    def store(self, drop: Callable[[], None]) -> None:
        """Have `drop` called when there are too many states; it passes those of a cache to `forget`."""
        self._drop.append(drop)

    def forget(self, cache: dict[Key, State]) -> None:
        """Take over the states of a cache that nobody uses any more.

        They refer to one another, so they have to be emptied, too; both is done little by little.
        """
        self._states -= len(cache)
        self._forgotten.append(cache)

    def add(self) -> None:
        """A state was cached. To be called where all caches may be dropped."""
        self._states += 1
        if self._forgotten:
            self._empty_some(self._forgotten[-1])
        if self._states > self._limit:
            self.flushes += 1
            for drop in self._drop:
                drop()

    def _empty_some(self, cache: dict[Any, Any]) -> None:
        for _ in range(min(_EMPTIED_AT_ONCE, len(cache))):
            cache.popitem()[1].forget()
        if not cache:
            self._forgotten.pop()
