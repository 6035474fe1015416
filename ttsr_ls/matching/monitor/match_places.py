"""All places at which a condition matches a text, within a bound of places and of steps."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.matcher import Matcher
from ttsr_ls.text import Span

MOST_PLACES = 10_000
"""How many matches of one condition in one file are reported at most."""


class MatchPlaces(Struct, frozen=True):
    """The matches of a condition, in order of the text, none of which overlaps another.

    `is_complete` is False where there may be more: there were too many, or the search took too long.
    """

    spans: tuple[Span, ...]
    is_complete: bool


NO_PLACES = MatchPlaces((), True)


def places_from(first: Span, matcher: Matcher, units: str, most: int) -> MatchPlaces:
    """The first `most` matches from `first` on, which is the leftmost, as `String.prototype.matchAll` finds them.

    `matcher` has a budget of steps (`Matcher.with_budget`).
    """
    spans = [first]
    while len(spans) <= most:
        last = spans[-1]
        # After an empty match the next one begins a unit further on.
        start = last.end + (last.end == last.start)
        if start > len(units):
            return MatchPlaces(tuple(spans), True)
        try:
            found = matcher.search(units, start)
        except MatchLimitExceeded:
            return MatchPlaces(tuple(spans), False)
        if found is None:
            return MatchPlaces(tuple(spans), True)
        spans.append(found)
    return MatchPlaces(tuple(spans[:most]), False)
