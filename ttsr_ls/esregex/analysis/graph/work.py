"""Counts the work of an analysis. Counted steps give the same answer on every machine; a clock would not."""

from __future__ import annotations

MOST_PER_PATTERN = 600_000
"""How much work the analysis of one pattern may take: some tenths of a second."""


class WorkExhausted(Exception):
    """The analysis took all the work that it may take."""


class Work:
    """The work that is left, in units of up to a microsecond. All stages of one analysis share it."""

    __slots__ = ("left",)

    def __init__(self, left: int = MOST_PER_PATTERN) -> None:
        self.left = left

    def spend(self, units: int) -> None:
        """Spends work of the budget. Raises `WorkExhausted` if less is left."""
        self.left -= units
        if self.left < 0:
            raise WorkExhausted
