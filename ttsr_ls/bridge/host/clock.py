"""The clocks of a session, so that tests and replays can set them."""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec import Struct


class Clock(Struct, frozen=True):
    """`now` returns milliseconds since the Unix epoch, `seconds` is monotonic."""

    now: Callable[[], int] = lambda: time.time_ns() // 1_000_000
    seconds: Callable[[], float] = time.monotonic
