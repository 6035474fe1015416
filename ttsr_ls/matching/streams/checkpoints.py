"""Copies of a stream's cursor, from which it continues when its text is replaced by one with the same beginning."""

from __future__ import annotations

from ttsr_ls.esregex.automaton.automaton import Cursor

_DENSEST = 1024
"""The least distance of two copies, in units. Further back they are further apart, so that a stream keeps few."""


class Checkpoints:
    """Copies of a cursor at growing distances from the current position. The first one has no text."""

    __slots__ = ("_cursors",)

    def __init__(self, start: Cursor) -> None:
        self._cursors = [start]

    def add(self, cursor: Cursor) -> None:
        """Adds a copy of the cursor at its current position."""
        if cursor.length - self._cursors[-1].length < _DENSEST:
            return
        self._cursors.append(cursor.copy())
        cursors = [self._cursors[-1]]
        for index in range(len(self._cursors) - 2, 0, -1):
            # Of two copies that are nearer to each other than to the end, one is enough.
            if (
                cursors[-1].length - self._cursors[index - 1].length
                > (cursor.length - cursors[-1].length) // 2 + _DENSEST
            ):
                cursors.append(self._cursors[index])
        self._cursors = [self._cursors[0], *reversed(cursors)]

    def last_at_most(self, length: int) -> Cursor:
        """Returns a copy of the last cursor with at most `length` units. Later ones are removed."""
        while self._cursors[-1].length > length:
            self._cursors.pop()
        return self._cursors[-1].copy()


def common_prefix(first: str, second: str) -> int:
    """Returns the length of the common prefix of two texts. Compares large chunks, which is fast."""
    # The usual case, in which nothing is copied: the text only grew.
    if second.startswith(first):
        return len(first)
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
