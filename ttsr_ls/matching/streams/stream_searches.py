"""The results of exact searches on the text of one stream, and the searches in progress."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from ttsr_ls.esregex.program.budget import SearchSteps, StepBudget, first_result
from ttsr_ls.esregex.search.growing_search import GrowingSearch
from ttsr_ls.esregex.search.pattern_search import PatternSearch
from ttsr_ls.esregex.search.thread import KnownText
from ttsr_ls.matching.streams.exact_verifier import BudgetExhausted, ExactVerifier
from ttsr_ls.matching.streams.question import Question
from ttsr_ls.text import Span

_LeastFinal = tuple[int, int]
"""The length of the least prefix on which a condition is final, and where the leftmost match in it starts."""


class _Open:
    """A condition that may be final: on no prefix up to `denied`, and at the latest on the prefix of length `offset`,
    if known.
    """

    __slots__ = ("denied", "examining", "growing", "offset", "question")

    def __init__(self) -> None:
        self.denied = -1
        self.offset = -1
        self.growing: GrowingSearch | None = None
        self.question: Question[_LeastFinal | None] | None = None
        self.examining = -1
        """The length of the prefix that the question is about."""


class _AtEnd:
    """A question about the whole text as it was when it had `length` units, and its answer."""

    __slots__ = ("answer", "length", "question")

    def __init__(self, length: int, question: Question[Span | None]) -> None:
        self.length = length
        self.question = question
        self.answer: tuple[Span | None] | None = None


class StreamSearches:
    """The exact searches of one stream. Conditions are identified by their index."""

    __slots__ = ("_at_end", "_known", "_open", "_spans", "_starts", "_verifier")

    def __init__(self, verifier: ExactVerifier) -> None:
        self._verifier = verifier
        self._known = KnownText()
        self._open: dict[int, _Open] = {}
        self._starts: dict[int, int] = {}
        """Where the matches start that were found final by a search."""
        self._spans: dict[int, Question[Span | None]] = {}
        self._at_end: dict[int, _AtEnd] = {}

    @property
    def candidates(self) -> Collection[int]:
        """The conditions that the automaton reported as candidates and that are not known to be final."""
        return self._open.keys()

    @property
    def undecided(self) -> list[int]:
        """The candidates for which it is unknown whether they are final."""
        return [condition for condition, opened_open in self._open.items() if opened_open.offset > opened_open.denied]

    def add_candidate(self, condition: int, since: int, offset: int) -> None:
        """Records that a condition may be final on a prefix longer than `since` and not longer than `offset`."""
        opened_open = self._open.get(condition)
        if opened_open is None:
            opened_open = self._open[condition] = _Open()
        if opened_open.offset <= opened_open.denied:
            opened_open.denied = max(opened_open.denied, since)
        opened_open.offset = offset

    def truncate(self, kept_length: int) -> None:
        """Forgets what was found in the text from `kept_length` on, because that text was replaced."""
        for condition, opened_open in self._open.items():
            again = self._open[condition] = _Open()
            again.denied, again.offset = min(opened_open.denied, kept_length), min(opened_open.offset, kept_length)
        self._starts.clear()
        self._spans.clear()
        self._at_end.clear()

    def least_final(self, condition: int, text: str) -> int | None:
        """Returns the length of the shortest prefix of the text on which a candidate is final. Then it is not a
        candidate any more.

        Raises `BudgetExhausted` and `MatchLimitExceeded`.
        """
        opened_open = self._open[condition]
        while opened_open.offset > opened_open.denied:
            try:
                final = self._verifier.final_of(condition)
                self._known.units = text
                if opened_open.question is None:
                    opened_open.examining = opened_open.offset
                    make = partial(self._search_least, final, opened_open, opened_open.denied, opened_open.offset)
                    opened_open.question = self._verifier.new_question(make)
                found = self._verifier.answer(opened_open.question)
            except BudgetExhausted:
                raise BudgetExhausted(opened_open.denied + 1) from None
            opened_open.question = None
            if found is not None:
                del self._open[condition]
                length, self._starts[condition] = found
                return length
            opened_open.denied = opened_open.examining
        return None

    def _search_least(
        self, final: PatternSearch, opened_open: _Open, denied: int, size: int, budget: StepBudget
    ) -> SearchSteps[_LeastFinal | None]:
        if opened_open.growing is None:
            opened_open.growing = GrowingSearch(final, self._known, budget.discarded)
        growing = opened_open.growing
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
                # No shorter prefix is final, so that the leftmost match of this one is the one that became so.
                quick = self._verifier.quick_final(condition, text, offset)
                if quick is not None:
                    return quick
            final = self._verifier.final_of(condition)
            question = self._spans.get(condition)
            if question is None:
                start = self._starts.get(condition)
                question = self._verifier.new_question(
                    partial(_span, final, self._known, start, offset - final.reach, offset)
                )
                self._spans[condition] = question
            self._known.units = text
            span = self._verifier.answer(question)
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
            before = 0 if end is None or end.answer is not None else end.question.spent
            languages = length if searches.reach_at_end is None else searches.reach_at_end
            question = self._verifier.new_question(
                partial(_span, searches.ordinary, self._known, None, length - languages, length), before
            )
            end = self._at_end[condition] = _AtEnd(length, question)
        if end.answer is None:
            self._known.units = text
            end.answer = (self._verifier.answer(end.question),)
        return end.answer[0]


def _least_by_end(
    final: PatternSearch, text: KnownText, denied: int, size: int, budget: StepBudget
) -> SearchSteps[_LeastFinal | None]:
    # What ends before that and looks no further was final on a prefix that is known to have no match.
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
    """The leftmost match in a prefix, where each ends at `least_end` or later."""
    if start is None:
        return (yield from search.leftmost(text, max(0, least_end), size, budget))
    return (yield from search.span_from(text, start, size, budget))
