"""Searches a growing text without examining anything twice.

For each start of a match, the threads that only the end of the text stopped are suspended; they continue when more text
arrives. Threads without a relevant difference are merged, so an undecided start costs no more than a few threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.program.budget import SearchSteps, StepBudget
from ttsr_ls.esregex.program.reference import CaptureInterner
from ttsr_ls.esregex.search.explore import explore
from ttsr_ls.esregex.search.pattern_search import PatternSearch, candidate_starts
from ttsr_ls.esregex.search.thread import Found, KnownText, Root, Thread

_MAX_THREADS = 1_000
"""How many threads of one pattern may be suspended; they take some 200 KB."""


class GrowingSearch:
    """Searches a growing text for a pattern whose matches no further text can undo."""

    __slots__ = (
        "_captures",
        "_known",
        "_next_start",
        "_pass_budget",
        "_running",
        "_search",
        "_suspended",
        "examined",
        "is_over",
    )

    def __init__(self, search: PatternSearch, text: KnownText, discarded: list[set[Any]] | None = None) -> None:
        """`discarded` is the same list as that of the budgets (see `StepBudget`)."""
        self._search = search
        self._known = text
        self._captures = CaptureInterner()
        self._suspended: dict[Thread, int] = {}
        self._next_start = 0
        self.examined = -1
        """The length of the longest prefix that is known to have no match; -1 if none is."""
        self._running: tuple[int, SearchSteps[Found | None]] | None = None
        """The length of text that the current pass examines, and the pass."""
        self._pass_budget = StepBudget(discarded=discarded)
        self.is_over = False
        """True if too many threads would be suspended. Then the text is not examined any further."""

    def find_shortest_prefix(self, size: int, budget: StepBudget) -> SearchSteps[tuple[int, int] | None]:
        """Returns the length of the shortest prefix with a match, at most `size`, and the start of the leftmost match
        in it; None without one.

        Raises `MatchLimitExceeded` if too many threads are suspended.
        """
        found = yield from self._examine(size, budget)
        while found is not None and found[0] - self.examined > 1:
            middle = (self.examined + found[0]) // 2
            found = (yield from self._examine(middle, budget)) or found
        return found

    def _examine(self, size: int, budget: StepBudget) -> SearchSteps[tuple[int, int] | None]:
        """Returns the length of a prefix with a match, at most `size`, and the start of the match.

        Returns None if there is no match; then `examined` is `size`.
        """
        while self.examined < size:
            if self._running is None:
                self._running = size, self._pass(size)
            examining, running = self._running
            while budget.left <= 0:
                yield
            self._pass_budget.left = left = budget.left
            try:
                next(running)
            except StopIteration as ended:
                budget.left -= left - self._pass_budget.left
                self._running = None
                found: Found | None = ended.value
                if found is not None:
                    return examining, found[0]
                self.examined = examining
            else:
                budget.left -= left
        return None

    def _pass(self, size: int) -> SearchSteps[Found | None]:
        suspended: dict[Thread, int] = {}
        plan = self._search.forward
        found = yield from explore(
            plan, self._known, size, self._roots(size), self._pass_budget, suspended=suspended, captures=self._captures
        )
        if found is None:
            if len(suspended) > _MAX_THREADS:
                self.is_over = True
                self._suspended.clear()
                raise MatchLimitExceeded("Too many threads are suspended")
            self._suspended = suspended
            self._next_start = size + (plan.first is None)
        return found

    def _roots(self, size: int) -> Iterator[Root]:
        for thread, start in self._suspended.items():
            yield start, thread
        yield from candidate_starts(self._search.forward, self._known, self._next_start, size)
