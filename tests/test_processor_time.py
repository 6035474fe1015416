"""Limits of processor time: work beyond them fails, and a slow machine alone does not."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import pytest

from tests.processor_time import is_process_below, processor_time_below, seconds_of_process


def work(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def slowed(factor: float) -> Callable[[], float]:
    return lambda: factor * time.process_time()


def test_work_beyond_its_time_limit_fails() -> None:
    expected = pytest.raises(AssertionError, match=r"too many: it took .* the limit is 0\.001 s")
    with expected, processor_time_below(0.001, "too many"):
        work(0.2)


def test_time_limits_are_longer_on_a_slow_machine() -> None:
    slow = slowed(50.0)
    with processor_time_below(0.05, clock=slow):
        work(0.02)
    with pytest.raises(AssertionError), processor_time_below(0.05, clock=slow):
        work(0.4)


def test_the_time_of_a_process_is_compared_with_a_reference_process() -> None:
    assert is_process_below(seconds_of_process([sys.executable, "-c", "pass"]), 0.1)
    busy = "import time\nwhile time.process_time() < 1: pass"
    assert not is_process_below(seconds_of_process([sys.executable, "-c", busy]), 0.03)
