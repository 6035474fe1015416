"""Keeps the caches of an automaton within bounds: how many states there are, and what becomes of old ones."""

from __future__ import annotations

from collections.abc import Callable, Sized
from typing import Protocol
from weakref import WeakSet

_EMPTIED_AT_ONCE = 16
"""How many forgotten entries are let go at least when a new state comes: letting thousands go at once would be felt."""


class Cache(Protocol):
    """States that can be forgotten."""

    used: int
    """When a state was last added, counted in states of all caches."""

    def __len__(self) -> int: ...

    def drop(self) -> None:
        """Forget all states, by `Upkeep.forget`."""
        ...


class Upkeep:
    """Drops the least recently extended states of all caches when there are too many."""

    __slots__ = ("_at_once", "_caches", "_forgotten", "_limit", "_states", "made")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._states = 0
        self._caches: WeakSet[Cache] = WeakSet()
        self._forgotten: list[tuple[Sized, Callable[[], object]]] = []
        self._at_once = _EMPTIED_AT_ONCE
        self.made = 0
        """How many states were cached so far, also those that were forgotten."""

    def store(self, cache: Cache) -> None:
        """Have the cache's states forgotten when there are too many."""
        self._caches.add(cache)

    def forget(self, states: Sized, let_one_go: Callable[[], object]) -> None:
        """Takes over cached states that are no longer used; `let_one_go` then drops them one by one."""
        self._states -= len(states)
        if states:
            self._forgotten.append((states, let_one_go))
            # All of it is gone before there are so many states again.
            entries = sum([len(each) for each, _ in self._forgotten])
            self._at_once = max(_EMPTIED_AT_ONCE, 2 * entries // max(1, self._limit))

    def add(self, cache: Cache) -> None:
        """A state was added to a cache. To be called where all caches may be dropped."""
        self._states += 1
        self.made += 1
        cache.used = self.made
        if self._forgotten:
            self._empty_some(*self._forgotten[-1])
        while self._states > self._limit:
            min([each for each in self._caches if len(each)], key=_when_used).drop()

    @property
    def fullness(self) -> float:
        """How much of the room is taken."""
        return self._states / self._limit

    def drop(self) -> None:
        """Have all states forgotten."""
        for cache in self._caches:
            cache.drop()

    def _empty_some(self, table: Sized, let_one_go: Callable[[], object]) -> None:
        for _ in range(min(self._at_once, len(table))):
            let_one_go()
        if not table:
            self._forgotten.pop()


def _when_used(cache: Cache) -> int:
    return cache.used
