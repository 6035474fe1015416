"""Asking the exact matchers what an automaton cannot tell: whether a candidate matches, and where a match is.

A search within a stream must hardly be felt, so all searches of a delta together may take a few milliseconds only. What
finds no time is asked again with the next deltas. A condition that takes long has to wait before it may take longer, so
that it does not use up the time of others; and when it was too long too often, it counts as too slow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from math import inf
from typing import TypeVar

from msgspec import Struct

from ttsr_ls.engine.condition import Condition
from ttsr_ls.engine.watcher import Match
from ttsr_ls.esregex.allowance import Allowance, now
from ttsr_ls.esregex.compile import compile_bounded
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.matcher import Matcher
from ttsr_ls.esregex.parser import parse
from ttsr_ls.text import Span

_Found = TypeVar("_Found")


class Bounds(Struct, frozen=True):
    """How many seconds exact searches may take."""

    delta: float
    """All that a delta asks for."""
    reserve: float
    """What of it, and of `end`, is kept for conditions that never took long."""
    tries: tuple[float, ...]
    """One condition, when it is tried first, and when it is tried again after that was not enough. After the last one
    it counts as too slow."""
    end: float
    """All that is asked for at the end of a block, where nobody waits for a delta and no other chance comes."""
    end_try: float
    """One condition there."""
    making_at_end: float
    """In which matchers are made there, beside `end`. For a delta that is `delta` once more."""
    placing: float
    """All searches for where one condition matches, without the first `tries[0]` of each."""


STREAMING = Bounds(
    delta=0.0035, reserve=0.0015, tries=(0.0005, 0.001, 0.002), end=0.25, end_try=0.004, making_at_end=1.0, placing=0.1
)
"""A delta may cost 5 ms in all."""

UNHURRIED = Bounds(delta=inf, reserve=0.0, tries=(10.0,), end=inf, end_try=10.0, making_at_end=inf, placing=inf)
"""For whoever compares answers, and does not wait for them."""


_PREPARED_UNITS = 20_000
"""How long conditions may be together, in units, whose matchers are made before anybody asks for them."""
_FIRST_SEARCH = 0.01
"""How many seconds a matcher may search in no text, beside the time that it takes to be made."""


class NotNow(Exception):
    """The answer took too long to find, and may be asked for again."""


class _Matchers(Struct, frozen=True):
    ordinary: Matcher
    final: Matcher


class Confirmations:
    """The exact matchers of conditions, made on first use, and how often they took too long."""

    __slots__ = (
        "_allowance",
        "_bounds",
        "_conditions",
        "_delta",
        "_is_end",
        "_left",
        "_making",
        "_matchers",
        "_placed",
        "_tries",
        "_waiting_until",
        "deltas",
    )

    def __init__(self, conditions: Sequence[Condition], bounds: Bounds = STREAMING) -> None:
        self._conditions = tuple(conditions)
        self._bounds = bounds
        self._matchers: dict[int, _Matchers] = {}
        self._allowance = Allowance()
        """What the search that is under way has left."""
        self.deltas = 0
        """How many deltas came. Whoever asks for the answers counts them up."""
        self._delta = 0
        """That for which was asked last."""
        self._left = bounds.delta
        """What is left of its time."""
        self._making = bounds.delta
        """What is left of the time in which matchers are made. The one that uses it up may take longer."""
        self._is_end = False
        self._tries: dict[int, int] = {}
        """How often in a row conditions took too long."""
        self._waiting_until: dict[int, int] = {}
        """Before which delta those are not asked again."""
        self._placed: dict[int, float] = {}
        """How long searches for where conditions match took, beyond what any may take."""

    def renew_for_end(self) -> None:
        """The block is over."""
        self._delta, self._left, self._is_end = self.deltas, self._bounds.end, True
        self._making = self._bounds.making_at_end

    def _time_left(self) -> float:
        if self._delta != self.deltas:
            self._delta, self._left, self._is_end = self.deltas, self._bounds.delta, False
            self._making = self._bounds.delta
        return self._left

    def _may_be_made(self, condition: int) -> bool:
        """Whether the matchers of a condition are there, or there is time to make them.

        Where many conditions ask for theirs, they are made over several deltas, at least one in each.
        """
        return self._making > 0 or condition in self._matchers

    def prepare(self, conditions: Sequence[int]) -> None:
        """Load what most matchers need, and make those of some conditions."""
        compile_bounded(parse("a|b.")).test("")
        left = _PREPARED_UNITS
        for condition in conditions:
            left -= len(self._conditions[condition].source)
            if left >= 0:
                self._of(condition)

    def least_final(self, condition: int, text: str, denied: int) -> int | None:
        """The length of the least prefix, longer than `denied`, on which the condition is final, if it is on `text`.

        Raises `NotNow` when it takes too long to say, and `MatchLimitExceeded` when that was so too often.
        """
        return self._answer(condition, lambda: _least_final(self._of(condition).final, text, denied))

    def match_at_end(self, condition: int, text: str) -> Match | None:
        """The leftmost match of a text; raises as `least_final` does."""
        span = self._answer(condition, lambda: self._of(condition).ordinary.search(text))
        return None if span is None else Match(span.start, span.end, len(text))

    def final_span(self, condition: int, text: str) -> Match:
        """The leftmost match of a text on which the condition is final."""
        return self._place(condition, lambda: self._of(condition).final.search(text), text)

    def span_at_end(self, condition: int, text: str) -> Match:
        """The leftmost match of a text that matches."""
        return self._place(condition, lambda: self._of(condition).ordinary.search(text), text)

    def _of(self, condition: int) -> _Matchers:
        known = self._matchers.get(condition)
        if known is None:
            since = now()
            made = self._conditions[condition]
            ordinary = made.matcher.sharing(self._allowance)
            is_same = made.final_matcher is made.matcher
            final = ordinary if is_same else made.final_matcher.sharing(self._allowance)
            known = self._matchers[condition] = _Matchers(ordinary, final)
            # They are made at their first search, whatever time that takes: it is no fault of the text. What may be
            # too slow even for no text is found out when it is asked about one.
            for matcher in (ordinary,) if is_same else (ordinary, final):
                self._allowance.left = _FIRST_SEARCH
                with suppress(MatchLimitExceeded):
                    matcher.test("")
            self._allowance.left = inf
            self._making -= now() - since
        return known

    def _answer(self, condition: int, search: Callable[[], _Found]) -> _Found:
        if self._time_left() <= 0 or not self._may_be_made(condition):
            raise NotNow
        self._of(condition)
        tries = self._tries.get(condition, 0)
        allowed, left = self._bounds.tries[tries], self._left
        if self._is_end:
            allowed = self._bounds.end_try
        elif self.deltas < self._waiting_until.get(condition, 0):
            raise NotNow
        if tries:
            left -= self._bounds.reserve
        granted = min(allowed, left)
        if granted <= 0:
            raise NotNow
        kept = self._bounds.reserve if tries else 0.0
        try:
            found = self._within(granted, search)
        except MatchLimitExceeded:
            # On a busy machine it took more than it was granted, but not from the others.
            self._left = max(self._left, kept)
            if granted < allowed:
                # Others took the time. That says nothing of this condition.
                raise NotNow from None
            if self._is_end or tries + 1 == len(self._bounds.tries):
                raise
            self._tries[condition] = tries + 1
            self._waiting_until[condition] = self.deltas + 2 ** (tries + 1)
            raise NotNow from None
        self._tries.pop(condition, None)
        return found

    def _place(self, condition: int, search: Callable[[], Span | None], text: str) -> Match:
        span: Span | None = None
        placed = self._placed.get(condition, 0.0)
        if self._time_left() > 0 and placed < self._bounds.placing and self._may_be_made(condition):
            self._of(condition)
            # A rule fires, which is rare: where it does is worth a try though making the matcher took all the time.
            seconds = min(self._bounds.tries[-1], max(self._bounds.tries[0], self._left))
            since = now()
            with suppress(MatchLimitExceeded):
                span = self._within(seconds, search)
            # In reference matching a rule can fire at every delta.
            self._placed[condition] = placed + max(0.0, now() - since - self._bounds.tries[0])
        if span is None:
            # It is certain that there is a match, but where it starts takes too long to say: it ends here.
            return Match(len(text), len(text), len(text))
        return Match(span.start, span.end, len(text))

    def _within(self, seconds: float, search: Callable[[], _Found]) -> _Found:
        allowance = self._allowance
        allowance.left = seconds
        try:
            return search()
        finally:
            self._left -= seconds - allowance.left if seconds < inf else 0.0
            allowance.left = inf


def _least_final(final: Matcher, text: str, denied: int) -> int | None:
    if not final.test(text):
        return None
    # What is final stays final, so the least prefix can be found by halving.
    at, below = len(text), denied
    while at - below > 1:
        middle = (below + at) // 2
        if final.test(text[:middle]):
            at = middle
        else:
            below = middle
    return at
