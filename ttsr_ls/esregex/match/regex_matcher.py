"""Matches a translated pattern with the PyPI package `regex`; a search that takes too long is repeated in counted
steps.

Both are exact, so the answer depends neither on which of them gives it nor on how busy the machine is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.matcher import STEP_LIMIT, TIME_LIMIT
from ttsr_ls.esregex.match.translate import RegexTranslation
from ttsr_ls.esregex.program.budget import StepBudget, run_to_end
from ttsr_ls.esregex.search.pattern_search import PatternSearch
from ttsr_ls.esregex.search.thread import KnownText
from ttsr_ls.esregex.tree.nodes import Pattern
from ttsr_ls.text import Span

if TYPE_CHECKING:
    import regex


_MIN_STEPS = 10
_UNITS_PER_STEP = 32
"""A search by `regex` is charged at least one step for so many units. Backtracking and large patterns cost more, which
only the clock of the budget shows."""
_SECONDS_PER_STEP = 5e-7
_FALLBACK_DIVISOR = 3
"""After `regex` timed out, the search in steps gets this part of the step limit: its steps may take longer."""

_FIRST_TURN = 3
"""How many times as long as its charge the first turn of a search may take."""
_LONGER_TURN = 8
"""How many times as long as the last one the next turn of a search may take."""


class _Program:
    """The source of a matcher, which the first search of any matcher that shares it compiles.

    Compiling it earlier would import `regex`, which takes 20 ms, for matchers that never search.
    """

    __slots__ = ("compiled", "source")

    def __init__(self, source: str) -> None:
        self.source = source
        self.compiled: regex.Pattern[str] | None = None


class RegexMatcher:
    """A matcher that compiles its translation at the first search."""

    __slots__ = ("_budget", "_fallback", "_program", "_step_limit", "_time_limit")

    def __init__(
        self,
        pattern: Pattern,
        translation: RegexTranslation,
        time_limit: float = TIME_LIMIT,
        step_limit: int = STEP_LIMIT,
    ) -> None:
        self._program = _Program(translation.source)
        self._fallback = PatternSearch(pattern)
        self._time_limit = time_limit
        self._step_limit = step_limit
        self._budget: StepBudget | None = None

    def search(self, units: str, start: int = 0) -> Span | None:
        """Raises `MatchLimitExceeded` after `step_limit` steps."""
        budget = StepBudget(self._step_limit) if self._budget is None else self._budget
        if budget.left <= 0:
            raise MatchLimitExceeded("Other searches used up the shared step budget")
        if self._program.compiled is None:
            self._program.compiled = _compile(self._program.source)
        if self._budget is not None and budget.clock is None:
            return self._search_in_turns(self._program.compiled, units, start, budget)
        seconds = min(self._time_limit, budget.left * _SECONDS_PER_STEP)
        clock = budget.clock
        began = 0.0 if clock is None else clock()
        try:
            match = _search(self._program.compiled, units, start, seconds)
        except TimeoutError:
            budget.left -= int(seconds / _SECONDS_PER_STEP)
            if self._budget is None:
                budget = StepBudget(self._step_limit // _FALLBACK_DIVISOR)
            return self._search_in_steps(units, start, budget)
        searched_to = len(units) if match is None else match.end()
        charge = _MIN_STEPS + (searched_to - start) // _UNITS_PER_STEP
        budget.left -= charge if clock is None else max(charge, int((clock() - began) / _SECONDS_PER_STEP))
        return None if match is None else Span(*match.span())

    def _search_in_turns(self, compiled: regex.Pattern[str], units: str, start: int, budget: StepBudget) -> Span | None:
        """Searches with a budget that other searches share, and that has no clock.

        Each turn but the first is charged for all the time that it may take. Most searches end within the first turn.
        """
        charged = 2 * _MIN_STEPS + (len(units) - start) // _UNITS_PER_STEP
        seconds = _FIRST_TURN * charged * _SECONDS_PER_STEP
        total = 0.0
        while budget.left > 0 and total < self._time_limit:
            seconds = min(seconds, self._time_limit - total, _FIRST_TURN * budget.left * _SECONDS_PER_STEP)
            total += seconds
            budget.left -= charged
            try:
                match = _search(compiled, units, start, seconds)
            except TimeoutError:
                seconds *= _LONGER_TURN
                charged = int(seconds / _SECONDS_PER_STEP)
            else:
                return None if match is None else Span(*match.span())
        return self._search_in_steps(units, start, budget)

    def _search_in_steps(self, units: str, start: int, budget: StepBudget) -> Span | None:
        step_budget = StepBudget(max(0, min(budget.left, self._step_limit)))
        left = step_budget.left
        try:
            return run_to_end(self._fallback.first_from(KnownText(units), start, len(units), step_budget))
        finally:
            budget.left -= left - step_budget.left

    def test(self, units: str) -> bool:
        return self.search(units) is not None

    def with_budget(self, budget: StepBudget) -> RegexMatcher:
        shared = RegexMatcher.__new__(RegexMatcher)
        shared._program, shared._fallback, shared._budget = self._program, self._fallback, budget
        shared._time_limit, shared._step_limit = self._time_limit, self._step_limit
        return shared


def _search(compiled: regex.Pattern[str], units: str, start: int, seconds: float) -> regex.Match[str] | None:
    # `concurrent` lets other threads run during the search. Without it, a slow search would stall the whole process.
    return compiled.search(units, start, timeout=seconds, concurrent=True)


def _compile(source: str) -> regex.Pattern[str]:
    import regex

    # The cache of `regex` would keep hundreds of unused patterns alive.
    return regex.compile(source, regex.V1 | regex.ASCII | regex.DOTALL, cache_pattern=False)
