"""Limits the number of cached states of an automaton."""

from __future__ import annotations

from collections.abc import Callable, Sized
from typing import Protocol
from weakref import WeakSet, ref

_MIN_FREED_AT_ONCE = 16
"""At least how many evicted states are freed when a state is added. Freeing thousands at once would be noticeable."""


class Cache(Protocol):
    """A cache of states that can be emptied."""

    used: int
    """The number of states of all caches, ever, when a state was last added to this one."""

    def __len__(self) -> int: ...

    def clear(self) -> None:
        """Removes all states and hands them to `CacheEvictor.discard`."""
        ...


class CacheEvictor:
    """Empties the least recently extended cache when all caches together have too many states."""

    __slots__ = ("_caches", "_evicted", "_freed_at_once", "_limit", "_oldest", "_states", "evictions", "made", "work")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._states = 0
        self._caches: WeakSet[Cache] = WeakSet()
        self._evicted: list[tuple[Sized, Callable[[], object]]] = []
        self._freed_at_once = _MIN_FREED_AT_ONCE
        self._oldest: list[tuple[int, ref[Cache]]] = []
        """The caches that are emptied next, the next one last, each with its `used` when they were sorted."""
        self.made = 0
        """How many states were cached so far, including evicted ones."""
        self.work = 0
        """How much work it took to build states, whether or not they were cached; one is about a microsecond."""
        self.evictions = 0
        """How often a cache was emptied."""

    def register(self, cache: Cache) -> None:
        """Adds a cache that is emptied when there are too many states."""
        self._caches.add(cache)

    def discard(self, states: Sized, drop_one: Callable[[], object]) -> None:
        """Takes over states that were removed from a cache. They are freed a few at a time, each by a call of
        `drop_one`.
        """
        self._states -= len(states)
        self.evictions += 1
        if states:
            self._evicted.append((states, drop_one))
            # All evicted states are freed before as many states are added again.
            entries = sum([len(each) for each, _ in self._evicted])
            self._freed_at_once = max(_MIN_FREED_AT_ONCE, 2 * entries // max(1, self._limit))

    def count_state(self, cache: Cache) -> None:
        """Counts a state that was added to `cache`. May empty any cache."""
        self._states += 1
        self.made += 1
        cache.used = self.made
        if self._evicted:
            self._free_some(*self._evicted[-1])
        while self._states > self._limit:
            self._evict_oldest()

    def _evict_oldest(self) -> None:
        if not self._oldest:
            # Sorting a thousand caches takes a millisecond, so the order is used for many evictions.
            used = sorted([cache for cache in self._caches if len(cache)], key=_when_used, reverse=True)
            self._oldest = [(cache.used, ref(cache)) for cache in used]
        used_at, reference = self._oldest.pop()
        cache = reference()
        if cache is not None and cache.used == used_at:
            cache.clear()

    @property
    def fill_level(self) -> float:
        """The number of states as a fraction of the limit."""
        return self._states / self._limit

    def _free_some(self, table: Sized, drop_one: Callable[[], object]) -> None:
        for _ in range(min(self._freed_at_once, len(table))):
            drop_one()
        if not table:
            self._evicted.pop()


def _when_used(cache: Cache) -> int:
    return cache.used
