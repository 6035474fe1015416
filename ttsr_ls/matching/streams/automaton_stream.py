"""Matches the conditions of a matcher on the text of one stream, with the automaton and exact searches."""

from __future__ import annotations

from collections.abc import Collection

from ttsr_ls.esregex.automaton.automaton import AnyAutomaton, Cursor
from ttsr_ls.esregex.automaton.union_cursor import CandidateMatch, EndMatches, FinalMatch
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.matching.streams.checkpoints import Checkpoints, common_prefix
from ttsr_ls.matching.streams.condition_matcher import Match
from ttsr_ls.matching.streams.exact_verifier import BudgetExhausted, ExactVerifier
from ttsr_ls.matching.streams.stream_searches import StreamSearches

_JOINED_AT_ONCE = 512
"""The number of deltas after which they are joined. Joining them at each delta would copy the whole text each time;
keeping all of them would take many times the memory of the text, and Python's cycle collector would traverse them."""

FED_AT_ONCE = 128
"""The number of units that the automaton reads in one call. It reports matches at the end of a call."""

_NONE: frozenset[int] = frozenset()

_CHUNK = 16 * 1024
"""The number of units of a replaced text between two attempts to add a checkpoint."""


class AutomatonStream:
    """A `StreamMatcher` that uses an automaton."""

    __slots__ = (
        "_automaton",
        "_blocks",
        "_changed",
        "_checkpoints",
        "_chunks",
        "_cursor",
        "_ended",
        "_ended_at",
        "_final",
        "_found",
        "_known_disabled",
        "_searches",
        "_verifier",
    )

    def __init__(self, automaton: AnyAutomaton, verifier: ExactVerifier) -> None:
        self._automaton = automaton
        self._verifier = verifier
        self._searches: StreamSearches | None = None
        """Created with the first search: most streams need none."""
        self._cursor: Cursor = automaton.open()
        self._blocks: list[str] = []
        """The text without its end, which is in `_chunks`."""
        self._chunks: list[str] = []
        self._final: dict[int, int] = dict.fromkeys(self._cursor.final, 0)
        """The conditions that are final, each with the length of the least prefix on which it is."""
        self._found: dict[int, Match] = {}
        self._changed: set[int] = set(self._final)
        self._known_disabled = _NONE
        """The conditions that the automaton had disabled when `changed` was last read."""
        self._checkpoints: Checkpoints | None = None
        self._ended: EndMatches | None = None
        """The cached answers of the automaton if the text ends at `_ended_at`, without the results of later
        searches."""
        self._ended_at = 0
        for condition in self._cursor.doubtful:
            self._add_candidate(condition, -1, 0)

    @property
    def length(self) -> int:
        return self._cursor.length

    def append(self, units: str) -> bool:
        """Adds text to the stream. Returns whether `changed` has any condition."""
        chunks = self._chunks
        chunks.append(units)
        if len(chunks) == _JOINED_AT_ONCE:
            self._blocks.append("".join(chunks))
            chunks.clear()
        self._verifier.deltas += 1
        if len(units) <= FED_AT_ONCE:
            # The path of nearly every delta, of whose cost one more call would be a tenth.
            for event in self._automaton.feed(self._cursor, units):
                self._take(event)
        else:
            for start in range(0, len(units), FED_AT_ONCE):
                for event in self._automaton.feed(self._cursor, units[start : start + FED_AT_ONCE]):
                    self._take(event)
        return bool(self._changed) or self._automaton.disabled is not self._known_disabled

    def _take(self, event: FinalMatch | CandidateMatch) -> None:
        if isinstance(event, FinalMatch):
            self._final[event.pattern] = event.offset
            self._changed.add(event.pattern)
        else:
            self._add_candidate(event.pattern, event.since, event.offset)

    def _add_candidate(self, condition: int, since: int, offset: int) -> None:
        if self._searches is None:
            self._searches = StreamSearches(self._verifier)
        self._searches.add_candidate(condition, since, offset)
        self._changed.add(condition)

    def end(self) -> None:
        """Marks the end of the stream: later searches may take more steps."""
        self._verifier.begin_block_end()
        for event in self._automaton.finish(self._cursor):
            self._take(event)
        self._ended = None

    def replace(self, units: str) -> bool:
        """Replaces the text. The common prefix with the previous text is not read again."""
        before, self._ended = self._text(), None
        if self._checkpoints is None:
            # Only streams whose text is replaced pay for checkpoints.
            self._checkpoints = Checkpoints(self._automaton.open())
        if not (only_grew := units.startswith(before)):
            kept_length = common_prefix(before, units)
            self._cursor = self._checkpoints.last_at_most(kept_length)
            self._forget_after(kept_length)
            self._blocks = [units[: self._cursor.length]]
        for start in range(self._cursor.length, len(units), _CHUNK):
            self.append(units[start : start + _CHUNK])
            self._checkpoints.add(self._cursor)
        # Joining the chunks would copy the whole text.
        self._blocks = [units]
        self._chunks.clear()
        return only_grew

    def _forget_after(self, kept_length: int) -> None:
        # The automaton reports again which conditions become final after the cursor's position. It does not report
        # again conditions that became final before it and were verified after it.
        self._final = {condition: offset for condition, offset in self._final.items() if offset <= self._cursor.length}
        for condition in self._final.keys() - self._cursor.final:
            self._cursor.mark_final(condition)
        self._found.clear()
        self._changed.update(self._final)
        if self._searches is not None:
            self._searches.truncate(kept_length)
            self._changed.update(self._searches.candidates)

    def prefix(self, length: int) -> str:
        return self._text()[:length]

    @property
    def changed(self) -> Collection[int]:
        disabled = self._automaton.disabled
        if disabled is not self._known_disabled:
            self._changed |= disabled - self._known_disabled
            self._known_disabled = disabled
        return self._changed

    def take_changed(self) -> Collection[int]:
        changed, self._changed = self.changed, set()
        return changed

    @property
    def conditions_at_end(self) -> frozenset[int]:
        ended = self._matches_at_end()
        matching = _NONE if ended.matching is self._cursor.final else ended.matching.difference(self._final)
        disabled = self._automaton.disabled
        others = (ended.candidates, self._searches.undecided if self._searches else (), disabled, ended.unsettled)
        return matching.union(*others) if any(others) else matching

    @property
    def unsettled(self) -> frozenset[int]:
        return self._automaton.unsettled(self._cursor)

    @property
    def can_search(self) -> bool:
        return self._verifier.can_search

    @property
    def final_conditions(self) -> Collection[int]:
        return self._final.keys()

    def final_match(self, condition: int) -> Match | None:
        if (match := self._found.get(condition)) is not None:
            return match
        if condition in self._automaton.disabled:
            raise MatchLimitExceeded("The automaton of the condition has too many states")
        self._verify(condition)
        if (offset := self._final.get(condition)) is None:
            return None
        span = self._charged_searches().final_span(condition, self._text(), offset)
        match = self._found[condition] = Match(span.start, span.end, offset)
        return match

    def _charged_searches(self) -> StreamSearches:
        self._verifier.charge(self._cursor.work)
        if self._searches is None:
            self._searches = StreamSearches(self._verifier)
        return self._searches

    def _verify(self, condition: int) -> None:
        searches = self._searches
        if searches is None or condition not in searches.candidates:
            return
        self._verifier.charge(self._cursor.work)
        if (least := searches.least_final(condition, self._text())) is not None:
            self._final[condition] = least
            self._changed.add(condition)
            self._cursor.mark_final(condition)

    def match_at_end(self, condition: int) -> Match | None:
        if (match := self.final_match(condition)) is not None:
            return Match(match.start, match.end, self._cursor.length)
        ended = self._matches_at_end()
        if condition in ended.unsettled:
            raise BudgetExhausted(self._cursor.settled + 1)
        if condition not in ended.matching and condition not in ended.candidates:
            return None
        span = self._charged_searches().span_at_end(condition, self._text())
        return None if span is None else Match(span.start, span.end, self._cursor.length)

    def matches_at_end(self, condition: int) -> bool:
        """Returns whether `match_at_end` returns a match, which takes fewer steps than finding its span. Raises as
        `match_at_end` does."""
        if condition in self._automaton.disabled:
            raise MatchLimitExceeded("The automaton of the condition has too many states")
        self._verify(condition)
        if condition in self._final or condition in self._matches_at_end().matching:
            return True
        return self.match_at_end(condition) is not None

    def _matches_at_end(self) -> EndMatches:
        if self._ended is None or self._ended_at != self.length:
            self._ended, self._ended_at = self._automaton.matches_if_ended(self._cursor), self.length
        return self._ended

    def _text(self) -> str:
        if self._chunks or len(self._blocks) != 1:
            self._blocks = ["".join([*self._blocks, *self._chunks])]
            self._chunks.clear()
        return self._blocks[0]
