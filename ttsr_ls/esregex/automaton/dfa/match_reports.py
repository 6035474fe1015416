"""What states tell when a stream arrives at them, as plain integers, since they are joined and sorted all the time.

`p` from 0: the pattern with that number is final. `~p`: it may be. From `FIRST_COUNTER_REPORT` on: a count starts.
"""

from __future__ import annotations

FIRST_COUNTER_REPORT = 1 << 40


def counter_report(counter: int, before: bool) -> int:
    """The report that the counter with this number restarts, here or `before` the last unit."""
    return FIRST_COUNTER_REPORT + 2 * counter + before
