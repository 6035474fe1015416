"""Answers exactly what an automaton cannot: whether a candidate matches, and the span of a match.

Searches are limited by steps, not by seconds, so an answer never depends on how busy the machine is. A search that does
not finish within the steps of a delta continues with the next deltas.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar
from weakref import WeakSet

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.matcher import Matcher
from ttsr_ls.esregex.program.budget import SearchSteps, StepBudget
from ttsr_ls.esregex.search.pattern_search import PatternSearch
from ttsr_ls.matching.streams.condition_searches import ConditionSearches, Preparation
from ttsr_ls.matching.streams.resumable_search import ResumableSearch
from ttsr_ls.matching.streams.search_limits import LIVE, SearchLimits
from ttsr_ls.rules.condition import Condition
from ttsr_ls.text import Span

_PREPARED_UNITS = 20_000
"""The searches of conditions with at most this many units in all are prepared before the first delta."""

_MAX_OPEN = 32
"""The most unfinished searches that keep their state, each at most some 6 MB. Others start again."""
_FREED_A_DELTA = 2_000
"""The states of finished searches that are freed at each delta with a search; this takes half a millisecond."""
_MIN_PART = 50
"""The fewest steps for which an unfinished search is resumed, if the budget has any left."""

_Answer = TypeVar("_Answer")


class BudgetExhausted(Exception):
    """The answer is not known yet. The caller must ask again with the next delta.

    `least` is the length of the shortest prefix, in units, that the answer may concern.
    """

    def __init__(self, least: int = 0) -> None:
        super().__init__(least)
        self.least = least


class ExactVerifier:
    """The searches of some conditions, and the remaining steps for the searches of the latest delta."""

    __slots__ = (
        "_charged",
        "_conditions",
        "_delta",
        "_discarded",
        "_earlier",
        "_exhausted",
        "_for_waiting",
        "_is_end",
        "_left",
        "_limits",
        "_open",
        "_preparation_left",
        "_quick",
        "_saved",
        "_searches",
        "_total",
        "_waited",
        "_waiting",
        "deltas",
    )

    def __init__(
        self,
        conditions: Sequence[Condition],
        limits: SearchLimits = LIVE,
        searches: dict[int, ConditionSearches] | None = None,
        earlier: dict[int, ConditionSearches] | None = None,
    ) -> None:
        """`searches` are shared with other verifiers of equal conditions, by their numbers. Those in `earlier` are not
        shared, but need not be prepared again."""
        self._conditions = tuple(conditions)
        self._limits = limits
        self._searches: dict[int, ConditionSearches] = {} if searches is None else searches
        self._earlier: dict[int, ConditionSearches] = {} if earlier is None else earlier
        self.deltas = 0
        """The number of deltas so far. The caller increments it."""
        self._delta = 0
        """The delta whose steps are counted."""
        self._total = limits.total
        """The remaining steps for this delta and all later ones."""
        self._quick = StepBudget(limits.quick)
        self._saved = limits.burst
        """The steps that the next delta may take, beside `rate` for each delta since the latest search."""
        self._exhausted = 0
        """The number of deltas in a row that took all steps that they had."""
        self._charged = 0
        """The last delta for which `charge` was called."""
        self._left = limits.delta
        self._for_waiting = limits.delta // 2
        """The part of `_left` for searches of earlier deltas."""
        self._waited = self._waiting = 0
        """The numbers of searches that did not finish at the previous delta, and at this one."""
        self._preparation_left = limits.preparation or 0
        """The remaining steps of this delta for preparing searches."""
        self._is_end = False
        self._discarded: list[set[Any]] = []
        """The states of finished searches, which are freed in portions (see `StepBudget`)."""
        self._open: WeakSet[ResumableSearch[Any]] = WeakSet()
        """The unfinished searches that keep their state. Weak, because a stream may be discarded with its
        searches."""

    def renew_total(self) -> None:
        """Resets the total step budget, for another text."""
        self._total = self._limits.total
        self._quick.left = self._limits.quick

    def set_limits(self, limits: SearchLimits) -> None:
        """Replaces the limits, from the next delta on."""
        self._limits = limits

    @property
    def can_search(self) -> bool:
        """True if unfinished searches may go on, or end, at this delta."""
        self._renew()
        return self._is_end or self._left >= _MIN_PART or self._total < _MIN_PART

    def charge(self, steps: int) -> None:
        """Deducts the work of the automaton from the steps of the delta. The share of a new search remains."""
        self._renew()
        if self._charged != self.deltas and not self._is_end:
            self._charged = self.deltas
            self._left = max(min(self._left, self._limits.share), self._left - steps)

    def begin_block_end(self) -> None:
        """Marks the end of the block: later searches may take more steps, because no delta follows."""
        self._delta, self._is_end = self.deltas, True
        self._left, self._for_waiting = min(self._limits.end, self._total), self._limits.end // 2

    def prepare(self, conditions: Sequence[int]) -> None:
        """Prepares the searches of some conditions in idle time, at least of the first one."""
        remaining = _PREPARED_UNITS
        for condition in conditions:
            remaining -= len(self._conditions[condition].source)
            if remaining >= 0:
                with suppress(MatchLimitExceeded):
                    searches = self._searches_of(condition)
                    for preparation in (searches.measuring, searches.planning, searches.completing):
                        preparation.advance(sys.maxsize)

    def final_of(self, condition: int) -> PatternSearch:
        """Returns the prepared search for final matches. Raises `BudgetExhausted` and `MatchLimitExceeded`."""
        searches = self._searches_of(condition)
        self._advance(searches.measuring)
        self._advance(searches.planning)
        return searches.final

    def quick_final(self, condition: int, text: str, length: int) -> Span | None:
        """Returns the leftmost final match in the first `length` units; None without one, or if the search exceeds
        `SearchLimits.quick`.
        """
        found = self._quick_search(lambda: self._conditions[condition].final_matcher, text[:length])
        return None if found is None else found[0]

    def quick_ordinary(self, condition: int, text: str) -> tuple[Span | None] | None:
        """Returns a tuple with the leftmost match, or with None; None if the search exceeds `SearchLimits.quick`."""
        return self._quick_search(lambda: self._conditions[condition].matcher, text)

    def _quick_search(self, matcher: Callable[[], Matcher], units: str) -> tuple[Span | None] | None:
        if self._quick.left <= 0:
            return None
        try:
            return (matcher().with_budget(self._quick).search(units),)
        except MatchLimitExceeded:
            return None

    def width_of(self, condition: int) -> int | None:
        """Returns the length of every final match of a condition, if it is constant; such a match ends where it became
        final.

        Raises as `final_of` does.
        """
        searches = self._searches_of(condition)
        self._advance(searches.measuring)
        return searches.final.width

    def ordinary_of(self, condition: int) -> ConditionSearches:
        """Returns the searches of a condition, with the ordinary one prepared. Raises as `final_of` does."""
        searches = self._searches_of(condition)
        self._advance(searches.measuring)
        self._advance(searches.completing)
        return searches

    def _searches_of(self, condition: int) -> ConditionSearches:
        searches = self._searches.get(condition)
        if searches is None:
            earlier = self._earlier.get(condition)
            searches = ConditionSearches(self._conditions[condition]) if earlier is None else earlier.prepared_again()
            self._searches[condition] = self._earlier[condition] = searches
        return searches

    def _advance(self, preparation: Preparation) -> None:
        if preparation.is_done:
            return
        self._renew()
        if self._is_end or self._limits.preparation is None:
            preparation.advance(sys.maxsize)
            return
        done_count = preparation.advance(min(self._preparation_left, self._left))
        self._preparation_left -= done_count
        self._left, self._saved = self._left - done_count, self._saved - done_count
        if not preparation.is_done:
            raise BudgetExhausted

    def _renew(self) -> None:
        if self._delta != self.deltas:
            limits = self._limits
            self._exhausted = self._exhausted + 1 if self._saved < _MIN_PART else 0
            rate = limits.rate if self._exhausted < limits.exhausted_deltas else limits.exhausted_rate
            self._saved = min(limits.burst, self._saved + (self.deltas - self._delta) * rate)
            self._delta, self._is_end, self._preparation_left = self.deltas, False, limits.preparation or 0
            self._left, self._for_waiting = min(limits.delta, self._saved, self._total), limits.delta // 2
            self._waited, self._waiting = self._waiting, 0
            self._free_some()

    def _free_some(self) -> None:
        """Free as many states as the searches of a delta may add."""
        remaining = _FREED_A_DELTA
        while self._discarded and remaining > 0:
            states = self._discarded[-1]
            limit = min(remaining, len(states))
            for _ in range(limit):
                states.pop()
            remaining -= limit
            if not states:
                self._discarded.pop()

    def new_search(
        self, make: Callable[[StepBudget], SearchSteps[_Answer]], before: int = 0
    ) -> ResumableSearch[_Answer]:
        """Returns a search that has already taken `before` steps."""
        return ResumableSearch(make, before, self._discarded)

    def advance(self, search: ResumableSearch[_Answer]) -> _Answer:
        """Continues a search and returns its answer. Raises `BudgetExhausted` while the answer is unknown, and
        `MatchLimitExceeded` after too many steps.
        """
        self._renew()
        before = search.spent
        granted = self._granted(before)
        found = search.advance(granted) if granted > 0 else None
        used = search.spent - before
        self._left, self._total = self._left - used, self._total - used
        if not self._is_end:
            self._saved -= used
        if before or self._is_end:
            self._for_waiting -= used
        if found is not None:
            self._open.discard(search)
            return found[0]
        if self._is_end or search.spent >= self._limits.search or self._total <= 0:
            self._open.discard(search)
            raise MatchLimitExceeded("Matching took more steps than it may")
        self._waiting += 1
        if search in self._open or len(self._open) < _MAX_OPEN:
            self._open.add(search)
        else:
            search.restart()
        raise BudgetExhausted

    def _granted(self, spent: int) -> int:
        """Returns the number of steps that a search may take now, given the number that it took before."""
        limits = self._limits
        if self._is_end:
            return min(self._left, limits.end_share + max(0, self._for_waiting) // 2)
        if spent:
            part = max(_MIN_PART, limits.delta // 2 // max(1, self._waited))
            return min(self._left, self._for_waiting, part, limits.search - spent)
        return min(self._left, max(limits.share, self._left // 2))
