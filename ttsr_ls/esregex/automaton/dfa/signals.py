"""What states tell when a stream arrives at them, as plain integers, since they are joined and sorted all the time.

`p` from 0: the pattern with that number is final. `~p`: it may be. From `FIRST_CLOCK_SIGNAL` on: a count starts.
"""

from __future__ import annotations

FIRST_CLOCK_SIGNAL = 1 << 40


def clock_signal(clock: int, before: bool) -> int:
    """That the clock with this number starts anew, here or `before` the last unit."""
    return FIRST_CLOCK_SIGNAL + 2 * clock + before


def started_clock(signal: int, offset: int) -> tuple[int, int]:
    """The clock that a signal told at `offset` starts, and where."""
    clock, before = divmod(signal - FIRST_CLOCK_SIGNAL, 2)
    return clock, offset - before
