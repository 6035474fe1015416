"""Matching by searching the whole text of a stream again each time it grew: exact, and linear in the text per delta."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ttsr_ls.matching.streams.condition_matcher import Match
from ttsr_ls.rules.condition import Condition


class SearchMatcher:
    """Matches conditions like an `AutomatonMatcher`, by searches."""

    __slots__ = ("_conditions",)

    def __init__(self, conditions: Sequence[Condition]) -> None:
        self._conditions = tuple(conditions)

    def prewarm(self, units: str) -> None:
        """Does nothing: searches need no preparation."""

    def open(self) -> SearchedStream:
        """Returns the matcher of a new stream, which has no text yet."""
        return SearchedStream(self._conditions)


class SearchedStream:
    """A `StreamMatcher` that searches."""

    __slots__ = ("_chunks", "_conditions", "_found", "_length", "_not_final_at")

    def __init__(self, conditions: tuple[Condition, ...]) -> None:
        self._conditions = conditions
        self._chunks: list[str] = []
        self._length = 0
        self._found: dict[int, Match] = {}
        self._not_final_at: dict[int, int] = {}
        """For each condition that was asked for, the longest prefix on which it is known to have no final match."""

    @property
    def length(self) -> int:
        """The length of the text in units."""
        return self._length

    def append(self, units: str) -> bool:
        """More text came."""
        # Joined only when somebody looks: joining at each delta would copy the whole text each time.
        self._chunks.append(units)
        self._length += len(units)
        return True

    def end(self) -> None:
        """No more text comes."""

    def replace(self, units: str) -> bool:
        """The text is another one now."""
        only_grew = units.startswith(self._text())
        if not only_grew:
            self._found.clear()
            self._not_final_at.clear()
        self._chunks = [units]
        self._length = len(units)
        return only_grew

    def prefix(self, length: int) -> str:
        """The first `length` units of the text."""
        return self._text()[:length]

    @property
    def changed(self) -> Collection[int]:
        """All conditions: nothing is known before they are asked for."""
        return range(len(self._conditions))

    def take_changed(self) -> Collection[int]:
        """All conditions."""
        return self.changed

    @property
    def final_conditions(self) -> Collection[int]:
        """The conditions that were asked for and are final."""
        return self._found.keys()

    @property
    def can_search(self) -> bool:
        """True: searches of the whole text take as long as they take."""
        return True

    @property
    def unsettled(self) -> frozenset[int]:
        return frozenset()

    @property
    def conditions_at_end(self) -> frozenset[int]:
        """All conditions that are not known to be final."""
        return frozenset(self.changed) - self._found.keys()

    def final_match(self, condition: int) -> Match | None:
        """The match on the least prefix on which one is final; raises `MatchLimitExceeded`."""
        found = self._found.get(condition)
        if found is not None:
            return found
        below = self._not_final_at.get(condition, -1)
        if below == self._length:
            return None
        text = self._text()
        authored, matcher = self._conditions[condition].matcher, self._conditions[condition].final_matcher
        # The text may end here, so what is final matches as authored; that form is often ten times as fast to deny.
        if (matcher is not authored and not authored.test(text)) or not matcher.test(text):
            self._not_final_at[condition] = self._length
            return None
        # What is final stays final, so the least prefix can be found by halving.
        at = self._length
        while at - below > 1:
            middle = (below + at) // 2
            if matcher.test(text[:middle]):
                at = middle
            else:
                below = middle
        span = matcher.search(text[:at])
        assert span is not None, "a match that test() finds, search() finds too"
        found = self._found[condition] = Match(span.start, span.end, at)
        return found

    def match_at_end(self, condition: int) -> Match | None:
        """See `StreamMatcher.match_at_end`."""
        final = self.final_match(condition)
        if final is not None:
            return Match(final.start, final.end, self._length)
        span = self._conditions[condition].matcher.search(self._text())
        return None if span is None else Match(span.start, span.end, self._length)

    def _text(self) -> str:
        if len(self._chunks) != 1:
            self._chunks = ["".join(self._chunks)]
        return self._chunks[0]
