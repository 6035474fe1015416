"""Asking the exact matchers what an automaton cannot tell: whether a candidate matches, and where a match is.

A search within a stream must hardly be felt, so it may take a few milliseconds only. One that takes longer is tried
again with the next deltas, as a busy machine is no fault of the condition, before the condition counts as too slow.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ttsr_ls.engine.condition import Condition
from ttsr_ls.engine.watcher import Match
from ttsr_ls.esregex.compile import compile_pattern
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.finality import final_form
from ttsr_ls.esregex.matcher import Matcher
from ttsr_ls.esregex.parser import parse

TIME_LIMIT = 0.003
"""How many seconds one search may take; a delta may cost 5 ms, and only one search in it may exceed this."""

STEP_LIMIT = 9_000
"""The same in steps of the backtracking matcher."""

PATIENCE = 2
"""How often in a row a condition may exceed them."""


class NotNow(Exception):
    """The answer took too long to find, and may be asked for again."""


class _Matchers(Struct, frozen=True):
    ordinary: Matcher
    final: Matcher


class Confirmations:
    """The exact matchers of conditions, made on first use, and how often they took too long."""

    __slots__ = ("_conditions", "_exceeded", "_is_spent", "_matchers")

    def __init__(self, conditions: Sequence[Condition]) -> None:
        self._conditions = tuple(conditions)
        self._matchers: dict[int, _Matchers] = {}
        self._exceeded: dict[int, int] = {}
        self._is_spent = False
        """Whether a search exceeded its limit since the last `renew`: then nothing more is searched for."""

    def renew(self) -> None:
        """Another delta came."""
        self._is_spent = False

    def prepare(self) -> None:
        """Load what most matchers need."""
        compile_pattern(parse("a|b.")).test("")

    def least_final(self, condition: int, text: str, denied: int) -> int | None:
        """The length of the least prefix, longer than `denied`, on which the condition is final, if it is on `text`.

        Raises `NotNow` when it takes too long to say, and `MatchLimitExceeded` when that was so too often.
        """
        if self._is_spent:
            raise NotNow
        final = self._of(condition).final
        try:
            if not final.test(text):
                self._exceeded.pop(condition, None)
                return None
            # What is final stays final, so the least prefix can be found by halving.
            at, below = len(text), denied
            while at - below > 1:
                middle = (below + at) // 2
                if final.test(text[:middle]):
                    at = middle
                else:
                    below = middle
        except MatchLimitExceeded:
            raise self._impatience(condition) from None
        return at

    def match_at_end(self, condition: int, text: str) -> Match | None:
        """The leftmost match of a text; raises as `least_final` does."""
        if self._is_spent:
            raise NotNow
        try:
            span = self._of(condition).ordinary.search(text)
        except MatchLimitExceeded:
            raise self._impatience(condition) from None
        return None if span is None else Match(span.start, span.end, len(text))

    def final_span(self, condition: int, text: str) -> Match:
        """The leftmost match of a text on which the condition is final."""
        return self._place(self._of(condition).final, text)

    def span_at_end(self, condition: int, text: str) -> Match:
        """The leftmost match of a text that matches."""
        return self._place(self._of(condition).ordinary, text)

    def _of(self, condition: int) -> _Matchers:
        known = self._matchers.get(condition)
        if known is None:
            pattern = self._conditions[condition].pattern
            ordinary = compile_pattern(pattern, TIME_LIMIT, STEP_LIMIT)
            sensitive = self._conditions[condition].is_end_sensitive
            final = compile_pattern(final_form(pattern), TIME_LIMIT, STEP_LIMIT) if sensitive else ordinary
            known = self._matchers[condition] = _Matchers(ordinary, final)
        return known

    def _impatience(self, condition: int) -> NotNow | MatchLimitExceeded:
        self._is_spent = True
        self._exceeded[condition] = self._exceeded.get(condition, 0) + 1
        if self._exceeded[condition] > PATIENCE:
            return MatchLimitExceeded("The condition took too long too often")
        return NotNow()

    def _place(self, matcher: Matcher, text: str) -> Match:
        span = None
        if not self._is_spent:
            try:
                span = matcher.search(text)
            except MatchLimitExceeded:
                self._is_spent = True
        if span is None:
            # It is certain that there is a match, but where it starts takes too long to say: it ends here.
            return Match(len(text), len(text), len(text))
        return Match(span.start, span.end, len(text))
