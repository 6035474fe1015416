"""Keeps the cache of an automaton within bounds: how many states there are, and what becomes of old ones."""

from __future__ import annotations

from collections.abc import Callable, Sized

_EMPTIED_AT_ONCE = 16
"""How many forgotten entries are let go at least when a new state comes: letting thousands go at once would be felt."""


class Upkeep:
    """Has all states of a cache forgotten when there are too many."""

    __slots__ = ("_at_once", "_drop", "_forgotten", "_limit", "_states", "flushes", "made")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._states = 0
        self._drop: list[Callable[[], None]] = []
        self._forgotten: list[tuple[Sized, Callable[[], object]]] = []
        self._at_once = _EMPTIED_AT_ONCE
        self.flushes = 0
        self.made = 0
        """How many states were cached so far, also those that were forgotten."""

    def store(self, drop: Callable[[], None]) -> None:
        """Have `drop` called when there are too many states; it passes those of a cache to `forget`."""
        self._drop.append(drop)

    def forget(self, states: Sized, let_one_go: Callable[[], object]) -> None:
        """Take over cached states that nobody uses any more. `let_one_go` is called little by little."""
        self._states -= len(states)
        self.empty(states, let_one_go)

    def empty(self, table: Sized, let_one_go: Callable[[], object]) -> None:
        """The same for what does not count as states."""
        if table:
            self._forgotten.append((table, let_one_go))
            # All of it is gone before there are so many states again.
            entries = sum([len(each) for each, _ in self._forgotten])
            self._at_once = max(_EMPTIED_AT_ONCE, 2 * entries // max(1, self._limit))

    def add(self) -> None:
        """A state was cached. To be called where all caches may be dropped."""
        self._states += 1
        self.made += 1
        if self._forgotten:
            self._empty_some(*self._forgotten[-1])
        if self._states > self._limit:
            self.drop()

    @property
    def fullness(self) -> float:
        """How much of the room is taken."""
        return self._states / self._limit

    def drop(self) -> None:
        """Have all states forgotten."""
        self.flushes += 1
        for drop in self._drop:
            drop()

    def _empty_some(self, table: Sized, let_one_go: Callable[[], object]) -> None:
        for _ in range(min(self._at_once, len(table))):
            let_one_go()
        if not table:
            self._forgotten.pop()
