"""Counts the work of an analysis. A count gives the same answer on every machine; a clock would not."""

from __future__ import annotations

from ttsr_ls.checkpoint import checkpoint

MAX_PER_PATTERN = 600_000
"""How much work the analysis of one pattern may take: some tenths of a second."""


class WorkExhausted(Exception):
    """The analysis used up its work budget."""


class WorkBudget:
    """The remaining work, in units of up to a microsecond. All stages of one analysis share it."""

    __slots__ = ("left",)

    def __init__(self, left: int = MAX_PER_PATTERN) -> None:
        self.left = left

    def spend(self, units: int) -> None:
        """Takes `units` from the budget. Raises `WorkExhausted` if fewer are left."""
        checkpoint()
        self.left -= units
        if self.left < 0:
            raise WorkExhausted
