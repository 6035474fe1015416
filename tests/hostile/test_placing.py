"""Where a rule fires at each delta, the searches for the place of its match end."""

from __future__ import annotations

import time

from ttsr_ls.engine.condition import compile_condition
from ttsr_ls.engine.confirmation import Confirmations


def test_slow_searches_for_places_end() -> None:
    condition = compile_condition("a+b")
    confirmations = Confirmations([condition])
    text = ("a" * 2_000 + "\n") * 4 + "ab"
    start = time.process_time()
    for _ in range(400):
        confirmations.deltas += 1
        assert confirmations.span_at_end(0, text).end == len(text)
    assert time.process_time() - start < 0.5  # It took 0.8 s.


def test_quick_searches_for_places_go_on() -> None:
    confirmations = Confirmations([compile_condition("ab")])
    for _ in range(20_000):
        confirmations.deltas += 1
        assert confirmations.span_at_end(0, "x ab").start == 2
