"""Reuses the tables of states.

Tables are the only part of states that Python's cycle collector tracks, and the more objects were made since its last
full run, the sooner it runs again. A pool that was filled before a host calls `gc.freeze` lasts for the whole process,
and then no stream triggers the collector.
"""

from __future__ import annotations

import sys
from collections import deque
from typing import Any

Table = list[Any]
"""The transitions of one state of a `LazyDfa`: the table after each symbol, and the state itself."""


def _references_of_unused() -> int:
    """Returns the reference count of an object that only a local variable has: one less from Python 3.14 on."""
    table: Table = []
    return sys.getrefcount(table)


_REFERENCES_OF_UNUSED = _references_of_unused()


class TablePool:
    """A pool of empty lists. Used and unused lists together are at most `size`, unless `size` is too small."""

    __slots__ = ("_made", "_size", "_unused")

    def __init__(self, size: int) -> None:
        self._size = size
        self._unused: deque[Table] = deque()
        self._made = 0

    def fill(self) -> None:
        """Creates all tables of the pool."""
        while self._made < self._size:
            self._unused.append([])
            self._made += 1

    def acquire(self) -> Table:
        """Returns an empty table."""
        if self._unused:
            # The table that was released first: its references are the most likely to be gone.
            table = self._unused.popleft()
            if sys.getrefcount(table) <= _REFERENCES_OF_UNUSED:
                table.clear()
                return table
            # Otherwise, a stream still refers to the table.
        else:
            self._made += 1
        return []

    def release(self, table: Table) -> None:
        """Takes back a table that is no longer used."""
        if len(self._unused) < self._size:
            self._unused.append(table)
        else:
            self._made -= 1
