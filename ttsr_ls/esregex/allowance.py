"""How much time searches may take together, where several questions share what one answer may cost.

The only clock of this layer, beside that of the `regex` package.
"""

from __future__ import annotations

from math import inf
from time import thread_time

now = thread_time
"""A time in seconds: what this thread has computed. An answer must not depend on what else the machine has to do."""

STEPS_PER_SECOND = 2_000_000
"""About how many steps the backtracking matcher takes."""


class Allowance:
    """The seconds that are left. Searches go on until nothing is, and take off what they took."""

    __slots__ = ("left",)

    def __init__(self, left: float = inf) -> None:
        self.left = left

    def take_off(self, since: float) -> None:
        """A search that began at the time `since` (of `now`) is over."""
        self.left -= now() - since


UNLIMITED = Allowance()
"""Whoever searches with it has only the limits of each search."""
