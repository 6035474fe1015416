"""The results of exact searches on the text of one stream, and the searches in progress."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from ttsr_ls.esregex.program.budget import SearchSteps, StepBudget, first_result
from ttsr_ls.esregex.search.growing_search import GrowingSearch
from ttsr_ls.esregex.search.pattern_search import PatternSearch
from ttsr_ls.esregex.search.thread import KnownText
from ttsr_ls.matching.streams.exact_verifier import BudgetExhausted, ExactVerifier
from ttsr_ls.matching.streams.resumable_search import ResumableSearch
from ttsr_ls.text import Span

_LeastFinal = tuple[int, int]
"""The length of the least prefix on which a condition is final, and the start of the leftmost match in it."""


class _Candidate:
    """A condition that may be final: on no prefix up to `denied`, and at the latest on the prefix of length `offset`,
    if known.
    """

    __slots__ = ("denied", "examining", "growing", "offset", "search")

    def __init__(self) -> None:
        self.denied = -1
        self.offset = -1
        self.growing: GrowingSearch | None = None
        self.search: ResumableSearch[_LeastFinal | None] | None = None
        self.examining = -1
        """The length of the prefix that `search` is about."""


class _AtEnd:
    """A search about the whole text as it was when it had `length` units, and its answer."""

    __slots__ = ("answer", "length", "search")

    def __init__(self, length: int, search: ResumableSearch[Span | None]) -> None:
        self.length = length
        self.search = search
        self.answer: tuple[Span | None] | None = None


class StreamSearches:
    """The exact searches of one stream. Conditions are identified by their index."""

    __slots__ = ("_at_end", "_candidates", "_known", "_spans", "_starts", "_verifier")

    def __init__(self, verifier: ExactVerifier) -> None:
        self._verifier = verifier
        self._known = KnownText()
        self._candidates: dict[int, _Candidate] = {}
        self._starts: dict[int, int] = {}
        """The starts of matches that a search found to be final."""
        self._spans: dict[int, ResumableSearch[Span | None]] = {}
        self._at_end: dict[int, _AtEnd] = {}

    @property
    def candidates(self) -> Collection[int]:
        """The conditions that the automaton reported as candidates and that are not known to be final."""
        return self._candidates.keys()

    @property
    def undecided(self) -> list[int]:
        """The candidates for which it is unknown whether they are final."""
        return [condition for condition, candidate in self._candidates.items() if candidate.offset > candidate.denied]

    def add_candidate(self, condition: int, since: int, offset: int) -> None:
        """Records that a condition may be final on a prefix longer than `since` and not longer than `offset`."""
        candidate = self._candidates.get(condition)
        if candidate is None:
            candidate = self._candidates[condition] = _Candidate()
        if candidate.offset <= candidate.denied:
            candidate.denied = max(candidate.denied, since)
        candidate.offset = offset

    def truncate(self, kept_length: int) -> None:
        """Forgets what was found in the text from `kept_length` on, because that text was replaced."""
        for condition, candidate in self._candidates.items():
            again = self._candidates[condition] = _Candidate()
            again.denied, again.offset = min(candidate.denied, kept_length), min(candidate.offset, kept_length)
        self._starts.clear()
        self._spans.clear()
        self._at_end.clear()

    def least_final(self, condition: int, text: str) -> int | None:
        """Returns the length of the shortest prefix of the text on which a candidate is final. Then it is not a
        candidate any more.

        Raises `BudgetExhausted` and `MatchLimitExceeded`.
        """
        candidate = self._candidates[condition]
        while candidate.offset > candidate.denied:
            try:
                final = self._verifier.final_of(condition)
                self._known.units = text
                if candidate.search is None:
                    candidate.examining = candidate.offset
                    make = partial(self._search_least, final, candidate, candidate.denied, candidate.offset)
                    candidate.search = self._verifier.new_search(make)
                found = self._verifier.advance(candidate.search)
            except BudgetExhausted:
                raise BudgetExhausted(candidate.denied + 1) from None
            candidate.search = None
            if found is not None:
                del self._candidates[condition]
                length, self._starts[condition] = found
                return length
            candidate.denied = candidate.examining
        return None

    def _search_least(
        self, final: PatternSearch, candidate: _Candidate, denied: int, size: int, budget: StepBudget
    ) -> SearchSteps[_LeastFinal | None]:
        if candidate.growing is None:
            candidate.growing = GrowingSearch(final, self._known, budget.discarded)
        growing = candidate.growing
        if final.reach >= size:
            return growing.find_shortest_prefix(size, budget)
        if growing.is_over:
            return _least_by_end(final, self._known, denied, size, budget)
        return first_result(
            budget,
            [
                lambda budget: _least_by_end(final, self._known, denied, size, budget),
                lambda budget: growing.find_shortest_prefix(size, budget),
            ],
        )

    def final_span(self, condition: int, text: str, offset: int) -> Span:
        """Returns the match on the shortest prefix on which a condition is final, of length `offset` units. Raises as
        `least_final`.
        """
        try:
            width = self._verifier.width_of(condition)
            if width is not None:
                return Span(offset - width, offset)
            if condition not in self._spans:
                # No shorter prefix has a final match, so the leftmost match of this one is the one that became final.
                quick = self._verifier.quick_final(condition, text, offset)
                if quick is not None:
                    return quick
            final = self._verifier.final_of(condition)
            search = self._spans.get(condition)
            if search is None:
                start = self._starts.get(condition)
                search = self._verifier.new_search(
                    partial(_span, final, self._known, start, offset - final.reach, offset)
                )
                self._spans[condition] = search
            self._known.units = text
            span = self._verifier.advance(search)
        except BudgetExhausted:
            raise BudgetExhausted(offset) from None
        del self._spans[condition]
        # The automaton knows that there is a match.
        return Span(offset, offset) if span is None else span

    def span_at_end(self, condition: int, text: str) -> Span | None:
        """Returns the leftmost match of the text, of a condition that is not final on it. Raises as `least_final`."""
        length = len(text)
        end = self._at_end.get(condition)
        if end is None or end.length != length:
            quick = self._verifier.quick_ordinary(condition, text)
            if quick is not None:
                return quick[0]
            searches = self._verifier.ordinary_of(condition)
            before = 0 if end is None or end.answer is not None else end.search.spent
            reach = length if searches.reach_at_end is None else searches.reach_at_end
            search = self._verifier.new_search(
                partial(_span, searches.ordinary, self._known, None, length - reach, length), before
            )
            end = self._at_end[condition] = _AtEnd(length, search)
        if end.answer is None:
            self._known.units = text
            end.answer = (self._verifier.advance(end.search),)
        return end.answer[0]


def _least_by_end(
    final: PatternSearch, text: KnownText, denied: int, size: int, budget: StepBudget
) -> SearchSteps[_LeastFinal | None]:
    # A match that ends earlier would be final on a prefix that is known to have no final match.
    least_end = max(0, denied + 1 - final.reach)
    start = yield from final.leftmost_by_end(text, least_end, size, budget)
    if start is None:
        return None
    while size - denied > 1:
        middle = (denied + size) // 2
        earlier = yield from final.leftmost_by_end(text, least_end, middle, budget)
        if earlier is None:
            denied = middle
        else:
            size, start = middle, earlier
    return size, start


def _span(
    search: PatternSearch, text: KnownText, start: int | None, least_end: int, size: int, budget: StepBudget
) -> SearchSteps[Span | None]:
    """Returns the leftmost match in a prefix of which no match ends before `least_end`."""
    if start is None:
        return (yield from search.leftmost(text, max(0, least_end), size, budget))
    return (yield from search.span_from(text, start, size, budget))
