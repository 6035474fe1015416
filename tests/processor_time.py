"""Limits of time that hold on slower machines, too.

A limit is stated in seconds of the machine on which it was first measured. Where work takes longer, the speed of this
machine is measured at that moment, by work that is always the same, and the limit is that much longer: a virtual
machine whose neighbours are busy is at a third of its speed for minutes.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_ROUNDS = 100_000
_REFERENCE_SECONDS = 0.008
"""What the fixed work takes on the machine of the limits."""


@contextmanager
def processor_time_below(
    seconds: float, about: object = "it is not bounded", clock: Callable[[], float] = time.process_time
) -> Iterator[None]:
    """Fails if the block takes more processor time than that; `about` is what the failure says first.

    `clock` may be `thread_time`, for work in which no other thread has a part.
    """
    began = clock()
    yield
    took = clock() - began
    assert is_below(took, seconds, clock), f"{about}: it took {took:.3f} s; the limit is {seconds:g} s"


def is_below(took: float, seconds: float, clock: Callable[[], float] = time.process_time) -> bool:
    """Whether work that took `took` seconds just now is within a limit.

    `clock` is `perf_counter` where another process did the work: both may have had to wait for a processor.
    """
    return took < seconds or took < seconds * _slowness(clock)


def _slowness(clock: Callable[[], float]) -> float:
    """How many times as long as on the machine of the limits work takes here and now; at least 1."""
    return max(1.0, statistics.median(_fixed_work(clock) for _ in range(9)) / _REFERENCE_SECONDS)


def _fixed_work(clock: Callable[[], float]) -> float:
    began = clock()
    seen: dict[int, tuple[int, str]] = {}
    for number in range(_ROUNDS):
        key = number * 7919 % 4099
        seen[key] = (number, str(key)) if key not in seen else seen[key]
    return clock() - began
