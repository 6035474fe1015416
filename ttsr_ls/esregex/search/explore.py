"""Searches for a match of a pattern within a budget of steps (see `state_exploration`)."""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.esregex.program.budget import SearchSteps, StepBudget
from ttsr_ls.esregex.program.reference import CaptureInterner
from ttsr_ls.esregex.search.plan import SearchPlan
from ttsr_ls.esregex.search.state_exploration import Visited, explore_states
from ttsr_ls.esregex.search.thread import Found, Goal, KnownText, Root, Thread

_MAX_FREED_AT_ONCE = 1_000
"""More states than this are not freed when a search ends, but left to the owner of `StepBudget.discarded`."""


def explore(
    plan: SearchPlan,
    text: KnownText,
    size: int,
    roots: Iterable[Root],
    budget: StepBudget,
    goal: Goal = Goal.ANY,
    suspended: dict[Thread, int] | None = None,
    captures: CaptureInterner | None = None,
    ends: set[int] | None = None,
) -> SearchSteps[Found | None]:
    """Searches the first `size` units of a text for a match, from each root in turn.

    `suspended` receives the threads that can continue when the text grows, with the starts of their matches; `ends`
    receives all ends, with `Goal.LOWEST`.
    """
    visited: Visited = set()
    try:
        return (yield from explore_states(plan, text, size, roots, budget, goal, suspended, captures, ends, visited))
    finally:
        # Runs also if the search is abandoned.
        if len(visited) > _MAX_FREED_AT_ONCE:
            budget.discarded.append(visited)
