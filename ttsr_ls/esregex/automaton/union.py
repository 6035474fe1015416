"""The automaton over many patterns, and how a stream of text goes through it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import getitem, length_hint

from ttsr_ls.esregex.automaton.approximation import Exactness
from ttsr_ls.esregex.automaton.assembly import Assembly, assemble
from ttsr_ls.esregex.automaton.cursor import Candidate, Cursor, Ended, Final
from ttsr_ls.esregex.automaton.limits import Limits
from ttsr_ls.esregex.automaton.product import Arrival, Root
from ttsr_ls.esregex.nodes import Pattern

_NOTHING: tuple[Final | Candidate, ...] = ()


class UnionAutomaton:
    """Immutable but for its cache, which all streams share."""

    __slots__ = ("_doubtful_at_start", "_initial", "_representatives", "_with_same_ends", "exact")

    def __init__(self, assembly: Assembly) -> None:
        self._representatives = assembly.alphabet.representatives
        self._initial = assembly.root.initial
        candidates_at_once = {~pattern for pattern in self._initial.patterns if pattern < 0}
        self._doubtful_at_start = _those(assembly, Exactness.OUTSIDE).union(candidates_at_once)
        self._with_same_ends = _those(assembly, Exactness.SAME_ENDS)
        self.exact = _those(assembly, Exactness.EXACT)
        """The patterns of which candidates are told only when their lookaheads become too many to be told apart."""

    @staticmethod
    def build(patterns: Sequence[Pattern], limits: Limits | None = None) -> UnionAutomaton:
        """The automaton of some patterns, which are then known by their numbers."""
        return UnionAutomaton(assemble(patterns, Limits() if limits is None else limits))

    def open(self) -> Cursor:
        """The place of a stream that has no text yet. What is final on none is told by it, not by `feed`."""
        final = frozenset([pattern for pattern in self._initial.patterns if pattern >= 0])
        return Cursor(self._initial, 0, final, self._doubtful_at_start)

    def feed(self, cursor: Cursor, units: str) -> tuple[Final | Candidate, ...]:
        """Move on by some text, in units; tells which patterns became final on the way, in order, or may have."""
        ahead = iter(units if units.isascii() else units.translate(self._representatives))
        try:
            cursor.root = reduce(getitem, ahead, cursor.root)
        except Arrival as arrival:
            return self._arrive(cursor, len(units), ahead, arrival.root)
        cursor.length += len(units)
        if not cursor.doubtful:
            return _NOTHING
        return tuple([Candidate(pattern, cursor.length) for pattern in sorted(cursor.doubtful)])

    def _arrive(self, cursor: Cursor, length: int, ahead: Iterator[str], root: Root) -> tuple[Final | Candidate, ...]:
        """Go on from a root at which patterns may have become final."""
        end = cursor.length + length
        found: list[Final | Candidate] = []
        candidates: dict[int, int] = {}
        final, doubtful = set(cursor.final), set(cursor.doubtful)
        while True:
            offset = end - length_hint(ahead)
            for pattern in root.patterns:
                if pattern >= 0:
                    if pattern not in final:
                        final.add(pattern)
                        found.append(Final(pattern, offset))
                elif ~pattern in self._with_same_ends:
                    candidates[~pattern] = offset
                else:
                    doubtful.add(~pattern)
            try:
                cursor.root = reduce(getitem, ahead, root)
                break
            except Arrival as arrival:
                root = arrival.root
        candidates.update(dict.fromkeys(doubtful, end))
        found += [Candidate(pattern, offset) for pattern, offset in sorted(candidates.items()) if pattern not in final]
        cursor.length = end
        cursor.final = frozenset(final)
        cursor.doubtful = frozenset(doubtful - final)
        return tuple(found)

    def if_ended(self, cursor: Cursor) -> Ended:
        """The patterns that match, or may, if no text comes any more."""
        ended = cursor.root.ended
        if not ended and not cursor.doubtful:
            return Ended(cursor.final, frozenset())
        matching = cursor.final.union([pattern for pattern in ended if pattern >= 0])
        candidates = cursor.doubtful.union([~pattern for pattern in ended if pattern < 0])
        return Ended(matching, candidates - matching)


def _those(assembly: Assembly, exactness: Exactness) -> frozenset[int]:
    return frozenset([index for index, how in enumerate(assembly.exactness) if how is exactness])
