"""What deltas cost: by the clock where the machine was at its full speed, and in processor time."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from msgspec import Struct

from benchmarks.machine import Machine

_AT_ONCE = 32
"""So many deltas are measured between looks at the machine."""
_PAUSE = 0.02
_PATIENCE = 0.5
"""How many seconds a measurement waits for the full speed in all."""
_MIN_COUNTED = 0.1
"""Where the machine was at its full speed during a smaller share of the deltas, all count."""


class Cost(Struct, frozen=True):
    """Seconds per delta. `median` is by the clock; `p99` and `greatest` are processor time, as others run here, too.

    `counted` is the share of the deltas that `median` and `p99` are those of, `deltas` how many were measured.
    """

    median: float
    p99: float
    greatest: float
    counted: float
    deltas: int

    def or_less(self, other: Cost) -> Cost:
        """The lesser figures of two measurements of the same: other programs can only add to them."""
        return Cost(
            min(self.median, other.median),
            min(self.p99, other.p99),
            min(self.greatest, other.greatest),
            max(self.counted, other.counted),
            min(self.deltas, other.deltas),
        )


def microseconds(seconds: float) -> str:
    """Seconds as microseconds, with three digits at the least."""
    figure = 1e6 * seconds
    return f"{figure:.2f}" if figure < 10 else f"{figure:.0f}"


def pieces(text: str, size: int) -> Iterator[str]:
    """The text in deltas of `size` characters."""
    return (text[at : at + size] for at in range(0, len(text), size))


def cost_of(feed: Callable[[str], object], deltas: Iterable[str], machine: Machine, seconds: float) -> Cost:
    """Feeds deltas one by one, for `seconds` of processor time at the most. There must be one."""
    # Figures are kept in arrays, which Python's collector of cycles does not look through.
    times, work_times = array("d"), array("d")
    counted_times, counted_work = array("d"), array("d")
    clock, work = time.perf_counter, time.thread_time
    patience = _PATIENCE
    overhead = min(_taken(work) for _ in range(1000))
    end = work() + seconds
    source = iter(deltas)
    while work() < end and (batch := list(islice(source, _AT_ONCE))):
        while not (at_full_speed := machine.is_at_full_speed()) and patience > 0:
            time.sleep(_PAUSE)
            patience -= _PAUSE
        first = len(times)
        for delta in batch:
            work_before = work()
            before = clock()
            feed(delta)
            times.append(clock() - before)
            work_times.append(work() - work_before - overhead)
        if at_full_speed and machine.is_at_full_speed():
            counted_times += times[first:]
            counted_work += work_times[first:]
    share = len(counted_times) / len(times)
    if share < _MIN_COUNTED:
        counted_times, counted_work = times, work_times
    return Cost(_quantile(counted_times, 0.5), _quantile(counted_work, 0.99), max(work_times), share, len(times))


def _taken(work: Callable[[], float]) -> float:
    before = work()
    return work() - before


def _quantile(values: array[float], share: float) -> float:
    return sorted(values)[int(len(values) * share)]
