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
from ttsr_ls.esregex.pattern_size import is_too_large

_LEAST = 100
"""So many patterns with a long memory are worth an automaton of their own."""

_BEHIND = 128
"""How many units the second automaton may be behind: enough for a few deltas, few enough not to be felt."""

_FEW_STATES = 4
"""More than one new state in so many units are many."""

_READ_AT_ONCE = 32
"""What is told in one go may be told again and again: only after it, it is known."""


class _Numbers:
    """The numbers that some patterns have in an automaton of their own."""

    __slots__ = ("inside", "outside")

    def __init__(self, patterns: Iterable[int]) -> None:
        self.outside = tuple(patterns)
        self.inside = {pattern: number for number, pattern in enumerate(self.outside)}

    def of(self, inside: Iterable[int]) -> list[int]:
        """The patterns with these numbers."""
        return [self.outside[number] for number in inside]


class FilteredCursor:
    """A stream's place in both automata. Owned by one stream; cheap to copy."""

    __slots__ = ("_filter", "_numbers", "due", "far", "final", "length", "near", "unread", "untold")

    def __init__(self, near: Cursor, far: Cursor, numbers: _Numbers, filter_number: int) -> None:
        self.near = near
        self.far = far
        self._numbers = numbers
        self._filter = filter_number
        self.unread: list[str] = []
        """What the second automaton has not read."""
        self.due = _BEHIND
        """Where it has to read that."""
        self.untold: tuple[Final | Candidate, ...] = ()
        """What it told when it was not asked by `feed`, which tells it next."""
        self.length = near.length
        """See `Place`."""
        self.final = near.final.union(numbers.of(far.final)) if far.final else near.final
        """See `Place`."""

    @property
    def doubtful(self) -> frozenset[int]:
        """See `Place`."""
        return (self.near.doubtful - {self._filter}).union(self._numbers.of(self.far.doubtful))

    def copy(self) -> FilteredCursor:
        """See `Place`."""
        copy = FilteredCursor(self.near.copy(), self.far.copy(), self._numbers, self._filter)
        copy.unread, copy.due, copy.untold = list(self.unread), self.due, self.untold
        return copy

    def settle(self, pattern: int) -> None:
        """See `Place`."""
        number = self._numbers.inside.get(pattern)
        if number is None:
            self.near.settle(pattern)
        else:
            self.far.settle(number)
        self.final |= {pattern}


class FilteredAutomaton:
    """An `Automaton` of two."""

    __slots__ = ("_far", "_filter", "_is_blind", "_near", "_numbers", "exact", "given_up")

    def __init__(self, near: UnionAutomaton, far: UnionAutomaton, filtered: Iterable[int], filter_number: int) -> None:
        self._near = near
        self._far = far
        self._numbers = _Numbers(filtered)
        self._filter = filter_number
        """What the first automaton tells has this number where the second one has to be asked."""
        self.exact = near.exact.difference(self._numbers.outside).union(self._numbers.of(far.exact))
        """See `Automaton`."""
        self.given_up: frozenset[int] = frozenset()
        """See `Automaton`."""
        self._is_blind = False
        """Telling the ends became too much for the first automaton: the second one is asked always."""
        near.on_given_up = far.on_given_up = self._look_at_given_up

    @staticmethod
    def build(patterns: Sequence[Pattern], limits: Limits | None = None) -> FilteredAutomaton | UnionAutomaton:
        """The automaton of some patterns, which are then known by their numbers; a single one if that costs less."""
        limits = Limits() if limits is None else limits
        filters = {
            number: found
            for number, each in enumerate(patterns)
            if not is_too_large(each) and (found := prefilter(each)) is not None
        }
        if len(filters) < _LEAST:
            return UnionAutomaton.build(patterns, limits)
        others = [None if number in filters else each for number, each in enumerate(patterns)]
        # What forgets at once has few states, and who reads seldom may now and then have forgotten all.
        near = assemble(others, replace(limits, roots=max(1, limits.roots // 4)), tuple(filters.values()))
        far = assemble([patterns[number] for number in filters], replace(limits, roots=max(1, limits.roots // 2)))
        return FilteredAutomaton(UnionAutomaton(near), UnionAutomaton(far), filters, len(patterns))

    def open(self) -> FilteredCursor:
        """See `Automaton`."""
        return FilteredCursor(self._near.open(), self._far.open(), self._numbers, self._filter)

    def prewarm(self, units: str) -> None:
        """See `Automaton`."""
        self._near.prewarm(units)
        self._far.prewarm(units)

    def feed(self, cursor: FilteredCursor, units: str) -> tuple[Final | Candidate, ...]:
        """See `Automaton`."""
        told = self._near.feed(cursor.near, units)
        if units:
            cursor.unread.append(units)
        cursor.length = length = cursor.near.length
        if length < cursor.due and not told and not self._is_blind:
            return told
        found = [event for event in told if event.pattern != self._filter]
        if length >= cursor.due or len(found) < len(told) or self._is_blind:
            self._catch_up(cursor)
            found += cursor.untold
            cursor.untold = ()
            found.sort(key=lambda event: event.offset)
        final = [event.pattern for event in found if isinstance(event, Final)]
        if final:
            cursor.final = cursor.final.union(final)
        return tuple(found)

    def _catch_up(self, cursor: FilteredCursor) -> None:
        """Have the second automaton read what is unread."""
        unread = "".join(cursor.unread)
        cursor.unread.clear()
        made = self._far.states_made
        told: list[Final | Candidate] = []
        for start in range(0, len(unread), _READ_AT_ONCE):
            told += self._far.feed(cursor.far, unread[start : start + _READ_AT_ONCE])
        cursor.untold += tuple([replace(each, pattern=self._numbers.outside[each.pattern]) for each in told])
        # Text that makes many states is not kept for later: all of it at once would be felt.
        is_dear = _FEW_STATES * (self._far.states_made - made) > len(unread)
        cursor.due = cursor.length + (0 if is_dear else _BEHIND)

    def _look_at_given_up(self) -> None:
        near, far = self._near.given_up, self._far.given_up
        self.given_up = (near - {self._filter}).union(self._numbers.of(far))
        self._is_blind = self._filter in near

    def if_ended(self, cursor: FilteredCursor) -> Ended:
        """See `Automaton`."""
        near = self._near.if_ended(cursor.near)
        matching = cursor.final if near.matching is cursor.near.final else near.matching | cursor.final
        candidates = near.candidates | cursor.doubtful
        if self._filter in near.candidates or self._is_blind:
            self._catch_up(cursor)
            far = self._far.if_ended(cursor.far)
            matching = matching.union(self._numbers.of(far.matching))
            candidates = candidates.union(self._numbers.of(far.candidates))
        return Ended(matching, candidates - matching - {self._filter})
