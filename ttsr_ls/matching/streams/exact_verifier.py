"""Answers exactly what an automaton cannot: whether a candidate matches, and where a match is.

Searches are counted in steps, not in seconds, so an answer never depends on how busy the machine is. A question that is
not answered within the steps of a delta goes on with the next deltas, where it stopped.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Generic, TypeVar
from weakref import WeakSet

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.matcher import Matcher
from ttsr_ls.esregex.program.budget import SearchSteps, StepBudget
from ttsr_ls.esregex.search.pattern_search import PatternSearch
from ttsr_ls.matching.streams.condition_searches import ConditionSearches, Preparation
from ttsr_ls.matching.streams.search_limits import LIVE, SearchLimits
from ttsr_ls.rules.condition import Condition
from ttsr_ls.text import Span

_PREPARED_UNITS = 20_000
"""How long conditions may be together, in units, whose searches are made ready before the first delta."""

_MOST_OPEN = 32
"""How many questions may wait with what they found out so far, each some 6 MB at the most. Others begin anew."""
_FREED_A_DELTA = 2_000
"""How many states of searches that are over are freed in each delta that asks something; half a millisecond."""
_LEAST_PART = 50
"""So many steps a question that waited goes on at least, if any are left: less is not worth to be resumed for."""

_Answer = TypeVar("_Answer")


class BudgetExhausted(Exception):
    """The answer is not known yet. It has to be asked for again with the next delta.

    `least` is the length of the least prefix, in units, that the answer may be about.
    """

    def __init__(self, least: int = 0) -> None:
        super().__init__(least)
        self.least = least


class Question(Generic[_Answer]):
    """A search under way, and how many steps it took so far, with those of `before`."""

    __slots__ = ("__weakref__", "_budget", "_make", "_search", "spent")

    def __init__(
        self,
        make: Callable[[StepBudget], SearchSteps[_Answer]],
        before: int = 0,
        discarded: list[set[Any]] | None = None,
    ) -> None:
        """`discarded` is that of the budget (see `StepBudget`)."""
        self._make = make
        self._budget = StepBudget(discarded=discarded)
        self._search = make(self._budget)
        self.spent = before

    def begin_anew(self) -> None:
        """Forget what the search found out so far."""
        self._budget = StepBudget(discarded=self._budget.discarded)
        self._search = self._make(self._budget)
        self.spent = 0

    def go_on(self, steps: int) -> tuple[_Answer] | None:
        """The answer, None if it is not known after so many more steps. Raises `MatchLimitExceeded`."""
        self._budget.left = steps
        try:
            next(self._search)
        except StopIteration as ended:
            answer: _Answer = ended.value
            return (answer,)
        finally:
            self.spent += steps - self._budget.left
        return None


class ExactVerifier:
    """The searches of some conditions, and the steps that are left for those of the delta that came last."""

    __slots__ = (
        "_conditions",
        "_delta",
        "_discarded",
        "_for_waiting",
        "_is_end",
        "_left",
        "_limits",
        "_open",
        "_quick",
        "_saved",
        "_searches",
        "_to_make",
        "_total",
        "_waited",
        "_waiting",
        "deltas",
    )

    def __init__(self, conditions: Sequence[Condition], limits: SearchLimits = LIVE) -> None:
        self._conditions = tuple(conditions)
        self._limits = limits
        self._searches: dict[int, ConditionSearches] = {}
        self.deltas = 0
        """How many deltas came. Whoever asks counts them up."""
        self._delta = 0
        """That of which the steps are counted."""
        self._total = limits.total
        """How many steps are left for all deltas to come, with this one."""
        self._quick = StepBudget(limits.quick)
        self._saved = limits.burst
        """How many of them the delta may take that comes, beside `rate` for each one since the last search."""
        self._left = limits.delta
        self._for_waiting = limits.delta // 2
        """What of that is left for questions that waited."""
        self._waited = self._waiting = 0
        """How many questions were not answered at the delta before, and at this one."""
        self._to_make = limits.made or 0
        """How many steps may still be taken to make searches ready."""
        self._is_end = False
        self._discarded: list[set[Any]] = []
        """What searches remembered that are over (see `StepBudget`)."""
        self._open: WeakSet[Question[Any]] = WeakSet()
        """The questions that wait; those of streams that are gone count no more."""

    def renew_total(self) -> None:
        """Another text is asked about: all steps are at hand again."""
        self._total = self._limits.total
        self._quick.left = self._limits.quick

    def limit(self, limits: SearchLimits) -> None:
        """Other bounds hold from the next delta on."""
        self._limits = limits

    def begin_end(self) -> None:
        """The block is over: what is asked now may take longer, and does not wait for another delta."""
        self._delta, self._is_end = self.deltas, True
        self._left, self._for_waiting = min(self._limits.end, self._total), self._limits.end // 2

    def prepare(self, conditions: Sequence[int]) -> None:
        """Make the searches of some conditions ready, the first of them at least, before anybody waits for them."""
        left = _PREPARED_UNITS
        for condition in conditions:
            left -= len(self._conditions[condition].source)
            if left >= 0:
                with suppress(MatchLimitExceeded):
                    searches = self._searches_of(condition)
                    searches.measuring.go_on(sys.maxsize)
                    searches.planning.go_on(sys.maxsize)
                    searches.completing.go_on(sys.maxsize)

    def final_of(self, condition: int) -> PatternSearch:
        """The search for final matches, made ready; raises `BudgetExhausted` and `MatchLimitExceeded`."""
        searches = self._searches_of(condition)
        self._make(searches.measuring)
        self._make(searches.planning)
        return searches.final

    def quick_final(self, condition: int, text: str, length: int) -> Span | None:
        """The leftmost final match in the first `length` units, where `SearchLimits.quick` allows to look for it."""
        found = self._quick_search(lambda: self._conditions[condition].final_matcher, text[:length])
        return None if found is None else found[0]

    def quick_ordinary(self, condition: int, text: str) -> tuple[Span | None] | None:
        """The leftmost match, if there is one; None where `SearchLimits.quick` does not allow to look for it."""
        return self._quick_search(lambda: self._conditions[condition].matcher, text)

    def _quick_search(self, matcher: Callable[[], Matcher], units: str) -> tuple[Span | None] | None:
        if self._quick.left <= 0:
            return None
        try:
            return (matcher().with_budget(self._quick).search(units),)
        except MatchLimitExceeded:
            return None

    def width_of(self, condition: int) -> int | None:
        """How long each final match of a condition is, where that is known; such a match ends where it became final.

        Raises as `final_of` does.
        """
        searches = self._searches_of(condition)
        self._make(searches.measuring)
        return searches.final.width

    def ordinary_of(self, condition: int) -> ConditionSearches:
        """The searches of a condition, with the ordinary one made ready; raises as `final_of` does."""
        searches = self._searches_of(condition)
        self._make(searches.measuring)
        self._make(searches.completing)
        return searches

    def _searches_of(self, condition: int) -> ConditionSearches:
        known = self._searches.get(condition)
        if known is None:
            known = self._searches[condition] = ConditionSearches(self._conditions[condition])
        return known

    def _make(self, preparation: Preparation) -> None:
        if preparation.is_done:
            return
        self._renew()
        if self._is_end or self._limits.made is None:
            preparation.go_on(sys.maxsize)
            return
        done = preparation.go_on(min(self._to_make, self._left))
        self._to_make -= done
        self._left -= done
        self._saved -= done
        if not preparation.is_done:
            raise BudgetExhausted

    def _renew(self) -> None:
        if self._delta != self.deltas:
            limits = self._limits
            self._saved = min(limits.burst, self._saved + (self.deltas - self._delta) * limits.rate)
            self._delta, self._is_end, self._to_make = self.deltas, False, limits.made or 0
            self._left, self._for_waiting = min(limits.delta, self._saved, self._total), limits.delta // 2
            self._waited, self._waiting = self._waiting, 0
            self._free_some()

    def _free_some(self) -> None:
        """Free as many states as the searches of a delta may add."""
        left = _FREED_A_DELTA
        while self._discarded and left > 0:
            states = self._discarded[-1]
            most = min(left, len(states))
            for _ in range(most):
                states.pop()
            left -= most
            if not states:
                self._discarded.pop()

    def ask(self, make: Callable[[StepBudget], SearchSteps[_Answer]], before: int = 0) -> Question[_Answer]:
        """A question, of which so many steps count as taken before."""
        return Question(make, before, self._discarded)

    def answer(self, question: Question[_Answer]) -> _Answer:
        """The answer to a question.

        Raises `BudgetExhausted` when it is not known yet, and `MatchLimitExceeded` when it took too many steps.
        """
        self._renew()
        before = question.spent
        granted = self._granted(before)
        found = question.go_on(granted) if granted > 0 else None
        used = question.spent - before
        self._left -= used
        self._total -= used
        if not self._is_end:
            self._saved -= used
        if before or self._is_end:
            self._for_waiting -= used
        if found is not None:
            self._open.discard(question)
            return found[0]
        if self._is_end or question.spent >= self._limits.question or self._total <= 0:
            self._open.discard(question)
            raise MatchLimitExceeded("Matching took more steps than it may")
        self._waiting += 1
        if question in self._open or len(self._open) < _MOST_OPEN:
            self._open.add(question)
        else:
            question.begin_anew()
        raise BudgetExhausted

    def _granted(self, spent: int) -> int:
        """How many steps a question may take now that took so many before."""
        limits = self._limits
        if self._is_end:
            return min(self._left, limits.end_share + max(0, self._for_waiting) // 2)
        if spent:
            part = max(_LEAST_PART, limits.delta // 2 // max(1, self._waited))
            return min(self._left, self._for_waiting, part, limits.question - spent)
        return min(self._left, max(limits.share, self._left // 2))
