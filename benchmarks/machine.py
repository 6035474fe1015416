"""Whether the machine is at its full speed just now.

On a shared processor, whatever runs beside a program, on the same core or for another tenant, makes all of it take
twice as long, for seconds, and then nothing does. Work that is always the same tells when that is so.
"""

from __future__ import annotations

import time
from functools import reduce
from operator import getitem

_LOOK_UPS = 64
_LOOKS = 200_000
"""How often at first: half a second."""
_TOLERATED = 1.25
"""How many times its least the work may take at full speed."""


class Machine:
    """Compares how long some look-ups in a table take with the least that they ever took."""

    def __init__(self, looks: int = _LOOKS) -> None:
        """`looks` is how often the fixed work is done at first, to find the least that it takes."""
        self._table: dict[str, object] = {}
        self._table["x"] = self._table
        self._least = min(self._taken() for _ in range(looks))

    @property
    def least_for_16(self) -> float:
        """Seconds for 16 look-ups, at best."""
        return self._least * 16 / _LOOK_UPS

    def is_at_full_speed(self) -> bool:
        """Returns whether it is. Takes 2 µs, and five times as long where it is not."""
        for _ in range(5):
            taken = self._taken()
            self._least = min(self._least, taken)
            if taken < _TOLERATED * self._least:
                return True
        return False

    def _taken(self) -> float:
        start = time.perf_counter()
        reduce(getitem, "x" * _LOOK_UPS, self._table)  # type: ignore[arg-type]
        return time.perf_counter() - start
