"""The clocks of a session, so that tests and replays can set them."""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec import Struct


def epoch_ms() -> int:
    """Returns the time in milliseconds since the Unix epoch."""
    return time.time_ns() // 1_000_000


class Clock(Struct, frozen=True):
    """`now` returns milliseconds since the Unix epoch, `seconds` is monotonic."""

    now: Callable[[], int] = epoch_ms
    seconds: Callable[[], float] = time.monotonic
