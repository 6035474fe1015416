"""Two automata in place of one: what a delta costs is then what the smaller of them costs.

The first one tells where patterns with a long memory may end (see `prefilter`), and all about the others. The second
one knows those patterns. Nothing of them can become final where the first one tells nothing, so the second one need not
keep up: it reads what came since in one go, when it is asked, or before that is too much.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from ttsr_ls.esregex.automaton.assembly import assemble
from ttsr_ls.esregex.automaton.cursor import Candidate, Cursor, Ended, Final
from ttsr_ls.esregex.automaton.limits import Limits
from ttsr_ls.esregex.automaton.prefilter import prefilter
from ttsr_ls.esregex.automaton.union import UnionAutomaton
from ttsr_ls.esregex.nodes import Pattern

_LEAST = 100
"""So many patterns with a long memory are worth an automaton of their own."""

_BEHIND = 128
"""How many units the second automaton may be behind: enough for a few deltas, few enough not to be felt."""

_NOTHING: tuple[Final | Candidate, ...] = ()


class _Far:
    """The patterns that the second automaton knows, by their numbers there, and the numbers that they have there."""

    __slots__ = ("numbers", "patterns", "set")

    def __init__(self, patterns: Sequence[int]) -> None:
        self.patterns = tuple(patterns)
        self.numbers = {pattern: number for number, pattern in enumerate(patterns)}
        self.set = frozenset(patterns)

    def patterns_of(self, numbers: Iterable[int]) -> list[int]:
        return [self.patterns[number] for number in numbers]


class FilteredCursor:
    """A stream's place in both automata. Owned by one stream; cheap to copy."""

    __slots__ = ("_known_far", "due", "far", "near", "unread")

    def __init__(self, near: Cursor, far: Cursor, known_far: _Far) -> None:
        self.near = near
        self.far = far
        self._known_far = known_far
        self.unread: list[str] = []
        """What the second automaton has not read."""
        self.due = _BEHIND
        """Where it has to read that."""

    @property
    def length(self) -> int:
        """See `Place`."""
        return self.near.length

    @property
    def final(self) -> frozenset[int]:
        """See `Place`."""
        return self.near.final

    @property
    def doubtful(self) -> frozenset[int]:
        """See `Place`."""
        return (self.near.doubtful - self._known_far.set).union(self._known_far.patterns_of(self.far.doubtful))

    def copy(self) -> FilteredCursor:
        """See `Place`."""
        copy = FilteredCursor(self.near.copy(), self.far.copy(), self._known_far)
        copy.unread, copy.due = list(self.unread), self.due
        return copy

    def settle(self, pattern: int) -> None:
        """See `Place`."""
        self.near.settle(pattern)
        if pattern in self._known_far.numbers:
            self.far.settle(self._known_far.numbers[pattern])


class FilteredAutomaton:
    """An `Automaton` of two."""

    __slots__ = ("_far", "_known_far", "_near", "exact")

    def __init__(self, near: UnionAutomaton, far: UnionAutomaton, filtered: Sequence[int]) -> None:
        self._near = near
        self._far = far
        self._known_far = _Far(filtered)
        self.exact = near.exact.union(self._known_far.patterns_of(far.exact))
        """See `Automaton`."""

    @staticmethod
    def build(patterns: Sequence[Pattern], limits: Limits | None = None) -> FilteredAutomaton | UnionAutomaton:
        """The automaton of some patterns, which are then known by their numbers; a single one if that costs less."""
        limits = Limits() if limits is None else limits
        filters = {index: found for index, each in enumerate(patterns) if (found := prefilter(each)) is not None}
        if len(filters) < _LEAST:
            return UnionAutomaton.build(patterns, limits)
        filtered = [filters.get(index, each) for index, each in enumerate(patterns)]
        near = UnionAutomaton(assemble(filtered, limits, filters=filters.keys()))
        return FilteredAutomaton(near, UnionAutomaton.build([patterns[index] for index in filters], limits), [*filters])

    @property
    def given_up(self) -> frozenset[int]:
        """See `Automaton`."""
        if not self._far.given_up:
            return self._near.given_up
        return self._near.given_up.union(self._known_far.patterns_of(self._far.given_up))

    def open(self) -> FilteredCursor:
        """See `Automaton`."""
        cursor = FilteredCursor(self._near.open(), self._far.open(), self._known_far)
        for pattern in self._known_far.patterns_of(cursor.far.final):
            cursor.near.settle(pattern)
        return cursor

    def prewarm(self, units: str) -> None:
        """See `Automaton`."""
        self._near.prewarm(units)
        self._far.prewarm(units)

    def feed(self, cursor: FilteredCursor, units: str) -> tuple[Final | Candidate, ...]:
        """See `Automaton`."""
        near = cursor.near
        told = self._near.feed(near, units)
        cursor.unread.append(units)
        if not told and near.length < cursor.due:
            return _NOTHING
        others = tuple([event for event in told if event.pattern not in self._known_far.numbers])
        if len(others) == len(told) and near.length < cursor.due:
            return others
        return others + self._catch_up(cursor)

    def _catch_up(self, cursor: FilteredCursor) -> tuple[Final | Candidate, ...]:
        unread = "".join(cursor.unread)
        cursor.unread.clear()
        cursor.due = cursor.near.length + _BEHIND
        told = self._far.feed(cursor.far, unread)
        if not told:
            return _NOTHING
        found = tuple([replace(event, pattern=self._known_far.patterns[event.pattern]) for event in told])
        for event in found:
            if isinstance(event, Final):
                cursor.near.settle(event.pattern)
        return found

    def if_ended(self, cursor: FilteredCursor) -> Ended:
        """See `Automaton`."""
        near, far = self._near.if_ended(cursor.near), self._known_far
        asked = (near.matching | near.candidates) & far.set - cursor.final
        matching = near.matching - far.set | cursor.final
        candidates = near.candidates - far.set | cursor.doubtful
        if asked:
            # Nothing is final now that was not when it was read last, or the first automaton would have told.
            self._catch_up(cursor)
            ended = self._far.if_ended(cursor.far)
            matching = matching.union(far.patterns_of(ended.matching))
            candidates = candidates.union(far.patterns_of(ended.candidates))
        return Ended(matching, candidates - matching)
