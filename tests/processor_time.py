"""Limits of time that hold on slower machines, too.

A limit is stated in seconds of the machine on which it was first measured. Where work takes longer, the speed of this
machine is measured at that moment, by work that is always the same, and the limit is that much longer: a virtual
machine whose neighbours are busy is at a third of its speed for minutes.
"""

from __future__ import annotations

import gc
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

_ROUNDS = 100_000
_REFERENCE_SECONDS = 0.008
"""What the fixed work takes on the machine of the limits."""
_FIXED_START = (sys.executable, "-c", "import argparse, inspect, json")
_REFERENCE_START_SECONDS = 0.03
"""The same of the fixed start of a process, which is mostly work of the system."""


@contextmanager
def processor_time_below(
    seconds: float, about: object = "it is not bounded", clock: Callable[[], float] = time.process_time
) -> Iterator[None]:
    """Fails if the block takes more processor time than that; `about` is what the failure says first.

    `clock` may be `thread_time`, for work in which no other thread has a part.
    """
    # Else the collector looks through all objects of the tests before, which takes longer than what is measured. They
    # stay frozen: `gc.unfreeze` frees all that the collection of the tests froze, and each later pass takes a second.
    gc.collect()
    gc.freeze()
    began = clock()
    yield
    took = clock() - began
    assert is_below(took, seconds, clock), f"{about}: it took {took:.3f} s; the limit is {seconds:g} s"


def is_below(took: float, seconds: float, clock: Callable[[], float] = time.process_time) -> bool:
    """Returns whether work that took `took` seconds just now is within a limit.

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


def seconds_of_process(command: Sequence[str], environment: Mapping[str, str] | None = None) -> float:
    """The processor time, in seconds, of a process that ends with status 0."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def is_process_below(took: float, seconds: float) -> bool:
    """Returns whether a short process that took `took` seconds of processor time just now is within a limit."""
    if took < seconds:
        return True
    fixed = statistics.median(seconds_of_process(_FIXED_START) for _ in range(5))
    return took < seconds * fixed / _REFERENCE_START_SECONDS
