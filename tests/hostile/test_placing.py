"""Where a rule matches at each delta, the searches for the place of its match end."""

from __future__ import annotations

from tests.processor_time import processor_time_below
from ttsr_ls.matching.streams.automaton_matcher import AutomatonMatcher
from ttsr_ls.matching.streams.condition_matcher import Match
from ttsr_ls.matching.streams.exact_verifier import BudgetExhausted
from ttsr_ls.rules.condition import compile_condition


def test_slow_searches_for_places_end() -> None:
    stream = AutomatonMatcher([compile_condition("(?:a|aa)+b$")]).open()
    stream.append(("a" * 2_000 + "\n") * 4)
    with processor_time_below(0.5):
        placed = 0
        for _ in range(400):
            stream.append("ab")
            try:
                match = stream.match_at_end(0)
            except BudgetExhausted:
                continue
            assert match is not None
            assert match.end == stream.length
            placed += 1
        assert placed > 300


def test_quick_searches_for_places_go_on() -> None:
    stream = AutomatonMatcher([compile_condition("ab$")]).open()
    length = 0
    for _ in range(20_000):
        stream.append("x ab")
        length += 4
        assert stream.match_at_end(0) == Match(length - 2, length, length)
