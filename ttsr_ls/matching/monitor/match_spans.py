"""Finds all matches of a condition in a text, up to limits on their number and on the steps."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.matcher import Matcher
from ttsr_ls.text import Span

MAX_MATCHES = 10_000
"""The most matches of one condition in one file that are reported."""


class MatchSpans(Struct, frozen=True):
    """The matches of a condition, in text order, without overlaps.

    `is_complete` is False if there may be more: there were too many, or the search took too long.
    """

    spans: tuple[Span, ...]
    is_complete: bool


NO_MATCHES = MatchSpans((), True)


def matches_from(first: Span, matcher: Matcher, units: str, limit: int) -> MatchSpans:
    """Returns the first `limit` matches, as `String.prototype.matchAll` finds them. `first` is the leftmost one.

    `matcher` has a step budget (`Matcher.with_budget`).
    """
    spans = [first]
    while len(spans) <= limit:
        last = spans[-1]
        # After an empty match the next one begins a unit further on.
        start = last.end + (last.end == last.start)
        if start > len(units):
            return MatchSpans(tuple(spans), True)
        try:
            span = matcher.search(units, start)
        except MatchLimitExceeded:
            return MatchSpans(tuple(spans), False)
        if span is None:
            return MatchSpans(tuple(spans), True)
        spans.append(span)
    return MatchSpans(tuple(spans[:limit]), False)
