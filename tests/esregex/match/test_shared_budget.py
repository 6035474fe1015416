"""Searches that share a budget without a clock are bounded together, regardless of how long each takes."""

from __future__ import annotations

import pytest

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.matcher import TIME_LIMIT
from ttsr_ls.esregex.match.regex_matcher import RegexMatcher
from ttsr_ls.esregex.match.translate import RegexTranslation
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.program.budget import StepBudget
from ttsr_ls.matching.streams.search_limits import OFFLINE
from ttsr_ls.text import Span


class SlowProgram:
    """A fake pattern of `regex` whose searches take `seconds` each. Sums the time of all searches."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.took = 0.0

    def search(self, units: str, start: int, timeout: float, concurrent: bool) -> SlowProgram:
        self.took += min(self.seconds, timeout)
        if self.seconds > timeout:
            raise TimeoutError
        return self

    def span(self) -> tuple[int, int]:
        return 1, 2

    def end(self) -> int:
        return 2


def slow_matcher(seconds: float) -> tuple[RegexMatcher, SlowProgram]:
    matcher = RegexMatcher(parse("a"), RegexTranslation("a"))
    program = SlowProgram(seconds)
    matcher._program.compiled = program  # type: ignore[assignment]
    return matcher, program


@pytest.mark.parametrize("seconds", [1e-6, 1e-5, 3e-5, 1e-4, 1e-3, 0.01, 0.1, 0.2, 0.24, 1.0])
@pytest.mark.parametrize("length", [10, 1_000, 30_000])
def test_searches_that_succeed_are_bounded_together(seconds: float, length: int) -> None:
    budget = StepBudget(OFFLINE.quick)
    matcher, program = slow_matcher(seconds)
    shared = matcher.with_budget(budget)
    units = "b" * (length - 1) + "a"
    is_used_up = False
    for _ in range(100_000):
        try:
            assert shared.search(units) is not None
        except MatchLimitExceeded:
            is_used_up = True
            break
    assert is_used_up
    assert program.took < 1.1


def test_one_budget_suffices_for_many_short_searches() -> None:
    budget = StepBudget(OFFLINE.quick)
    shared = slow_matcher(1e-5)[0].with_budget(budget)
    for _ in range(10_000):
        assert shared.search("b" * 500) == Span(1, 2)
    assert budget.left > 0


def test_a_search_that_exceeds_the_time_limit_continues_in_steps() -> None:
    matcher, program = slow_matcher(10.0)
    assert matcher.with_budget(StepBudget(10_000_000)).search("bbba") == Span(3, 4)
    assert program.took == pytest.approx(TIME_LIMIT)


@pytest.mark.parametrize("length", [1, 1_000, 30_000])
def test_all_turns_of_one_search_stay_within_its_time_limit(length: int) -> None:
    matcher, program = slow_matcher(9.0)
    # After the time limit, the search continues in steps.
    assert matcher.with_budget(StepBudget(1_000_000)).search("b" * length) is None
    assert program.took <= TIME_LIMIT * 1.001
