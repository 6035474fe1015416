"""Searches a growing text without examining anything twice.

For each start of a match, the threads are kept that only the end of the text stopped; they continue when more text
arrives. Threads without a relevant difference are merged, so a start that stays open costs no more than a few threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.program.budget import SearchSteps, StepBudget
from ttsr_ls.esregex.program.reference import Captures
from ttsr_ls.esregex.search.explore import explore
from ttsr_ls.esregex.search.pattern_search import PatternSearch, candidate_starts
from ttsr_ls.esregex.search.thread import Found, KnownText, Root, Thread

_MAX_THREADS = 1_000
"""How many threads of one pattern may wait for more text, some 200 KB."""


class GrowingSearch:
    """Searches a growing text for a pattern whose matches more text never undoes."""

    __slots__ = (
        "_captures",
        "_known",
        "_next_start",
        "_own",
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
        self._captures = Captures()
        self._suspended: dict[Thread, int] = {}
        self._next_start = 0
        self.examined = -1
        """The length of the text that is known to have no match; -1 where that is known of none."""
        self._running: tuple[int, SearchSteps[Found | None]] | None = None
        """A pass that is under way, and the length of text that it examines."""
        self._own = StepBudget(discarded=discarded)
        self.is_over = False
        """Too many threads would have to wait: the text is not examined any further."""

    def find_shortest_prefix(self, size: int, budget: StepBudget) -> SearchSteps[tuple[int, int] | None]:
        """Returns the length of the shortest prefix with a match, at most `size`, and the start of the leftmost match
        in it; None without one.

        Raises `MatchLimitExceeded` if too many threads are waiting.
        """
        found = yield from self._examine(size, budget)
        while found is not None and found[0] - self.examined > 1:
            middle = (self.examined + found[0]) // 2
            found = (yield from self._examine(middle, budget)) or found
        return found

    def _examine(self, size: int, budget: StepBudget) -> SearchSteps[tuple[int, int] | None]:
        """A length up to `size` of text with a match, and where that starts. Without one, `examined` is `size`."""
        while self.examined < size:
            if self._running is None:
                self._running = size, self._pass(size)
            examining, running = self._running
            while budget.left <= 0:
                yield
            self._own.left = left = budget.left
            try:
                next(running)
            except StopIteration as ended:
                budget.left -= left - self._own.left
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
            plan, self._known, size, self._roots(size), self._own, suspended=suspended, captures=self._captures
        )
        if found is None:
            if len(suspended) > _MAX_THREADS:
                self.is_over = True
                self._suspended.clear()
                raise MatchLimitExceeded("Too many starts of a match are open")
            self._suspended = suspended
            self._next_start = size + (plan.first is None)
        return found

    def _roots(self, size: int) -> Iterator[Root]:
        for thread, start in self._suspended.items():
            yield start, thread
        yield from candidate_starts(self._search.forward, self._known, self._next_start, size)
