"""Matching by one automaton for all conditions: what a delta costs depends neither on the text nor on their number.

The automaton says which conditions match, and from which prefix on for good. Where it can only say which may, and for
the place of a match, the exact matchers are asked, within bounds that are hardly felt.
"""

from __future__ import annotations

from collections.abc import Sequence

from ttsr_ls.engine.checkpoints import Checkpoints, common_prefix
from ttsr_ls.engine.condition import Condition
from ttsr_ls.engine.confirmation import STREAMING, Bounds, Confirmations, NotNow
from ttsr_ls.engine.watcher import Match
from ttsr_ls.esregex.automaton.automaton import AnyAutomaton, Place
from ttsr_ls.esregex.automaton.cursor import Candidate, Ended, Final
from ttsr_ls.esregex.automaton.filtered import FilteredAutomaton
from ttsr_ls.esregex.errors import MatchLimitExceeded

_JOINED_AT_ONCE = 512
"""How many deltas are kept as they came. Joining them at each would copy the whole text each time; to keep them all
would take many times the memory of the text, and make Python's collector of cycles look through them."""

_FED_AT_ONCE = 128
"""How many units the automaton reads at once. It tells what it knows only after them: that a condition is final, which
it would find again at each unit."""

_PREPARED = 100
"""For how many conditions exact matchers are made before they are needed."""

_PIECE = 16 * 1024
"""How many units of a replaced text are read before a place to go back to is kept."""


class AutomatonWatcher:
    """A `Watcher` by an automaton, which is made when the first stream is opened."""

    __slots__ = ("__weakref__", "_automaton", "_conditions", "_confirmations")

    def __init__(self, conditions: Sequence[Condition], bounds: Bounds = STREAMING) -> None:
        self._conditions = tuple(conditions)
        self._confirmations = Confirmations(self._conditions, bounds)
        self._automaton: AnyAutomaton | None = None

    def open(self) -> AutomatonStream:
        """A stream that has no text yet."""
        return AutomatonStream(self._made, self._confirmations)

    def prewarm(self, units: str) -> None:
        """Get ready for texts like this one, so that the first of them cost no more than later ones."""
        self._made.prewarm(units)
        # First those that will be asked for before they match.
        by_need = sorted(range(len(self._conditions)), key=lambda number: number in self._made.exact)
        self._confirmations.prepare(by_need[:_PREPARED])

    @property
    def _made(self) -> AnyAutomaton:
        if self._automaton is None:
            self._automaton = FilteredAutomaton.build([condition.pattern for condition in self._conditions])
        return self._automaton


class AutomatonStream:
    """A `StreamWatcher` by an automaton."""

    __slots__ = (
        "_automaton",
        "_blocks",
        "_candidates",
        "_checkpoints",
        "_chunks",
        "_confirmations",
        "_cursor",
        "_ended",
        "_ended_at",
        "_final",
        "_found",
    )

    def __init__(self, automaton: AnyAutomaton, confirmations: Confirmations) -> None:
        self._automaton = automaton
        self._confirmations = confirmations
        self._cursor: Place = automaton.open()
        self._blocks: list[str] = []
        """The text, but for what is in `_chunks`."""
        self._chunks: list[str] = []
        self._final: dict[int, int] = dict.fromkeys(self._cursor.final, 0)
        """The conditions that are final, each with the length of the least prefix on which it is."""
        self._candidates: dict[int, tuple[int, int]] = dict.fromkeys(self._cursor.doubtful, (-1, 0))
        """The conditions that may be: they are not on the first length, and if on any prefix, then on the second."""
        self._found: dict[int, Match] = {}
        self._checkpoints: Checkpoints | None = None
        self._ended: Ended | None = None
        """What holds if the text ends at `_ended_at`, but for what was confirmed since: many conditions ask for it."""
        self._ended_at = 0

    @property
    def length(self) -> int:
        """The length of the text in units."""
        return self._cursor.length

    def append(self, units: str) -> None:
        """More text came."""
        chunks = self._chunks
        chunks.append(units)
        if len(chunks) == _JOINED_AT_ONCE:
            self._blocks.append("".join(chunks))
            chunks.clear()
        self._confirmations.deltas += 1
        if len(units) <= _FED_AT_ONCE:
            # Nearly every delta comes here: one more call would be a tenth of its cost.
            for event in self._automaton.feed(self._cursor, units):
                self._take(event)
            return
        for start in range(0, len(units), _FED_AT_ONCE):
            for event in self._automaton.feed(self._cursor, units[start : start + _FED_AT_ONCE]):
                self._take(event)

    def _take(self, event: Final | Candidate) -> None:
        if isinstance(event, Final):
            self._final[event.pattern] = event.offset
        else:
            self._note(event)

    def _note(self, candidate: Candidate) -> None:
        denied, _ = self._candidates.get(candidate.pattern, (-1, 0))
        self._candidates[candidate.pattern] = (denied, candidate.offset)

    def end(self) -> None:
        """No more text comes: what is asked now may take longer."""
        self._confirmations.renew_for_end()

    def replace(self, units: str) -> None:
        """The text is another one now. What it has in common with the last one is not read again."""
        before, self._ended = self._text(), None
        if self._checkpoints is None:
            # Only texts that are replaced pay for places to go back to.
            self._checkpoints = Checkpoints(self._automaton.open())
        kept = common_prefix(before, units)
        if kept < len(before):
            self._cursor = self._checkpoints.last_until(kept)
            self._forget_after(kept)
            self._blocks = [units[: self._cursor.length]]
        while self._cursor.length < len(units):
            self.append(units[self._cursor.length : self._cursor.length + _PIECE])
            self._checkpoints.add(self._cursor)
        # The whole text is at hand: to join it again would copy it.
        self._blocks = [units]
        self._chunks.clear()

    def _forget_after(self, kept: int) -> None:
        # What became final after the place that the cursor went back to is told again when it is read again. What had
        # before, and was only found out later, is not.
        self._final = {condition: offset for condition, offset in self._final.items() if offset <= self._cursor.length}
        for condition in self._final.keys() - self._cursor.final:
            self._cursor.settle(condition)
        self._candidates = {
            condition: (min(denied, kept), min(offset, kept))
            for condition, (denied, offset) in self._candidates.items()
        }
        self._found.clear()

    def prefix(self, length: int) -> str:
        """The first `length` units of the text."""
        return self._text()[:length]

    @property
    def final_conditions(self) -> frozenset[int]:
        """The conditions of which `final_match` may give a match."""
        given_up = self._automaton.given_up
        if self._candidates or given_up:
            return self._cursor.final.union(self._candidates, given_up)
        return self._cursor.final

    @property
    def conditions_at_end(self) -> frozenset[int]:
        """The conditions of which `match_at_end` may give a match."""
        ended = self._at_end()
        return ended.matching.union(self._final, ended.candidates, self._candidates, self._automaton.given_up)

    def final_match(self, condition: int) -> Match | None:
        """The match on the least prefix on which one is final; raises `MatchLimitExceeded`."""
        if condition in self._automaton.given_up:
            raise MatchLimitExceeded("The condition makes too many states")
        if condition in self._candidates:
            self._confirm(condition)
        offset = self._final.get(condition)
        if offset is None:
            return None
        found = self._found.get(condition)
        if found is None:
            found = self._found[condition] = self._confirmations.final_span(condition, self._text()[:offset])
        return found

    def _confirm(self, condition: int) -> None:
        denied, offset = self._candidates[condition]
        if offset <= denied:
            return
        try:
            least = self._confirmations.least_final(condition, self._text()[:offset], denied)
        except NotNow:
            return
        if least is None:
            self._candidates[condition] = (offset, offset)
            return
        del self._candidates[condition]
        self._final[condition] = least
        self._cursor.settle(condition)

    def match_at_end(self, condition: int) -> Match | None:
        """The leftmost match of the text as it is now; raises `MatchLimitExceeded`."""
        if condition in self._automaton.given_up:
            raise MatchLimitExceeded("The condition makes too many states")
        if condition in self._candidates:
            self._confirm(condition)
        ended = self._at_end()
        if condition in ended.matching or condition in self._final:
            return self._confirmations.span_at_end(condition, self._text())
        if condition in ended.candidates:
            try:
                return self._confirmations.match_at_end(condition, self._text())
            except NotNow:
                return None
        return None

    def _at_end(self) -> Ended:
        if self._ended is None or self._ended_at != self._cursor.length:
            self._ended, self._ended_at = self._automaton.if_ended(self._cursor), self._cursor.length
        return self._ended

    def _text(self) -> str:
        if self._chunks or len(self._blocks) != 1:
            self._blocks = ["".join([*self._blocks, *self._chunks])]
            self._chunks.clear()
        return self._blocks[0]
