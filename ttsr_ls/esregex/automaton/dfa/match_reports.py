"""Match reports: what a state reports when a stream reaches it. They are plain integers, because they are joined and
sorted often.

`p` from 0 on: the pattern with that number is final. `~p`: the pattern may be final. From `FIRST_COUNTER_REPORT` on: a
counter starts.
"""

from __future__ import annotations

FIRST_COUNTER_REPORT = 1 << 40


def counter_report(counter: int, before: bool) -> int:
    """Returns the report that a counter restarts at this position, or `before` the last unit."""
    return FIRST_COUNTER_REPORT + 2 * counter + before
