"""The step budget of searches, and how searches share it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, TypeVar

from ttsr_ls.esregex.errors import MatchLimitExceeded

_Found = TypeVar("_Found")

SearchSteps = Generator[None, None, _Found]
"""An interruptible search: yields when its budget is used up, and returns its result."""

_TURN = 250
"""How many steps each of several searches takes before the next one has its turn."""
_FIRST_TURN = 1_000
"""The first turn of the first search, which is the most likely to end soon."""


class StepBudget:
    """The remaining steps. A step takes 0.1 to 1 µs for any pattern and text.

    An instruction that takes longer, because it copies many registers or compares long texts, counts as several steps.
    """

    __slots__ = ("clock", "discarded", "left")

    def __init__(
        self, left: int = 0, discarded: list[set[Any]] | None = None, clock: Callable[[], float] | None = None
    ) -> None:
        self.left = left
        self.clock = clock
        """Returns the processor time used so far, in seconds. Charges searches whose steps cannot be counted."""
        self.discarded: list[set[Any]] = [] if discarded is None else discarded
        """Explored states of ended searches. The owner frees them gradually: freeing all at once takes milliseconds."""


def first_result(
    budget: StepBudget, searches: list[Callable[[StepBudget], SearchSteps[_Found]]]
) -> SearchSteps[_Found]:
    """Runs several searches for the same result in turns and returns the first result.

    A search that raises `MatchLimitExceeded` is dropped as long as another one remains. The total cost is about the
    cost of the cheapest search times the number of searches, or the cost of the first one.
    """
    running = []
    for make in searches:
        step_budget = StepBudget(discarded=budget.discarded)
        running.append((make(step_budget), step_budget))
    turn = _FIRST_TURN
    while True:
        for search, step_budget in tuple(running):
            while budget.left <= 0:
                yield
            step_budget.left = granted = min(turn, budget.left)
            turn = _TURN
            try:
                next(search)
            except StopIteration as ended:
                budget.left -= granted - step_budget.left
                found: _Found = ended.value
                return found
            except MatchLimitExceeded:
                running.remove((search, step_budget))
                if not running:
                    raise
            budget.left -= granted


def run_to_end(search: SearchSteps[_Found]) -> _Found:
    """Returns the result of a search. Raises `MatchLimitExceeded` if its budget is used up first."""
    try:
        next(search)
    except StopIteration as ended:
        found: _Found = ended.value
        return found
    raise MatchLimitExceeded("The search exceeded its step budget")
