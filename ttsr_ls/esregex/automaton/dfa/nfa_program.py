"""A finished NFA group: the effect of each class of units and each kind of position on its items, as bit masks.

A set of threads is an integer with a bit for each item, so most threads are moved at once by masks and shifts. Owns the
tables, which are filled on first use; the determinizers (`plain_determinizer`, `lookaround_determinizer`) define what a
set of threads is.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Set
from functools import reduce
from operator import or_

from ttsr_ls.esregex.automaton.bit_sets import bit_indexes
from ttsr_ls.esregex.automaton.dfa.alphabet import Alphabet
from ttsr_ls.esregex.automaton.dfa.match_reports import counter_report
from ttsr_ls.esregex.automaton.nfa.items import (
    Boundary,
    Consume,
    CounterStart,
    ItemEntry,
    LookEnd,
    NextUnitTest,
    PatternEnd,
)
from ttsr_ls.esregex.automaton.nfa.nfa_graph import NfaGraph
from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT

END = -1
"""The number that stands for the class of the next unit where the text ends."""


class NfaProgram:
    """The tables of one NFA group."""

    __slots__ = (
        "_boundaries",
        "_by_class",
        "_consumer_sets",
        "_consumers",
        "_kind_sets",
        "_members",
        "_next_in",
        "_next_in_set",
        "_next_sets",
        "_not_boundaries",
        "_own_sets",
        "_ranges",
        "_reports_by_item",
        "_satisfied",
        "_word_bit",
        "_word_set",
        "after",
        "all_ends",
        "chained",
        "chains",
        "counter_starts",
        "counters",
        "ends",
        "forward",
        "gates",
        "kind_bits",
        "lookbehinds",
        "patterns",
        "starts",
        "threads",
        "waiting",
    )

    def __init__(self, graph: NfaGraph, alphabet: Alphabet, word_set: int, approximate: Container[int]) -> None:
        consumers: dict[int, int] = {}
        self.all_ends = 0
        """The items that mark the end of a pattern or of a lookaround's body."""
        next_in: dict[NextUnitTest, int] = {}
        boundaries = not_boundaries = 0
        reports: dict[int, int] = {}
        counter_starts = 0
        bit = 1
        for label in graph.labels:
            if type(label) is Consume:
                consumers[label.units] = consumers.get(label.units, 0) | bit
            elif isinstance(label, NextUnitTest):
                next_in[label] = next_in.get(label, 0) | bit
            elif isinstance(label, Boundary):
                if label.negated:
                    not_boundaries |= bit
                else:
                    boundaries |= bit
            elif isinstance(label, PatternEnd):
                reports[bit] = ~label.pattern if label.pattern in approximate else label.pattern
            elif isinstance(label, CounterStart):
                reports[bit] = counter_report(label.counter, label.before)
                counter_starts |= 0 if label.before else bit
            else:
                assert isinstance(label, LookEnd)
                self.all_ends |= bit
            bit <<= 1
        self.after: tuple[ItemEntry | None, ...] = tuple(graph.after)
        self.starts = tuple(graph.starts)
        self.lookbehinds = _lookbehinds(graph)
        """The lookbehinds, inner ones first: body, end (a mask), items, and the kind bit for "the body ends here"."""
        self.forward = ~_union(items for _, _, items, _ in self.lookbehinds)
        """The items outside of lookbehinds."""
        self.chains = tuple(graph.chains)
        self.chained = _union(graph.chains)
        self.ends = _union(reports)
        """The items that mark the end of a pattern, or the start of a counter. Reaching one is reported."""
        self.all_ends |= self.ends
        self.counter_starts = counter_starts
        """The items that start a counter at their position. The next item starts the same counter before the last
        unit."""
        self.counters = tuple([1 << counter.item for counter in graph.counters])
        self.threads = (bit - 1) ^ self.ends
        """All items except `ends`: reaching an end is reported once, and leaves no thread."""
        self._reports_by_item = [reports.get(1 << item, 0) for item in range(max(reports, default=0).bit_length())]
        self.patterns = tuple([label.pattern for label in graph.labels if isinstance(label, PatternEnd)])
        firsts = [item for item, label in enumerate(graph.labels) if isinstance(label, PatternEnd)]
        self._ranges = tuple(zip(firsts, self.patterns, [*firsts[1:], len(graph.labels)], strict=True))
        """The first item of each pattern, the pattern, and the item after its last one."""
        self.waiting = boundaries | not_boundaries | _union(next_in.values())
        """The items that wait for the next unit."""
        every = graph.sets.number(EVERY_UNIT)
        self.gates = next_in.get(NextUnitTest(every, holds_at_end=True), 0)
        """The items in `waiting` whose test any unit, and the end of the text, passes."""
        self._consumers = consumers
        self._consumer_sets = _union(1 << number for number in consumers)
        self._next_in = tuple(next_in.items())
        self._next_in_set: dict[int, int] = {}
        for next_unit, items in next_in.items():
            self._next_in_set[next_unit.units] = self._next_in_set.get(next_unit.units, 0) | items
        self._next_sets = _union(1 << number for number in self._next_in_set)
        self._boundaries, self._not_boundaries = boundaries, not_boundaries
        self.kind_bits = graph.kind_bits
        """How many bits the kind of a position has."""
        self._kind_sets = tuple(graph.kind_sets.items())
        self._word_set, self._word_bit = word_set, graph.kind_sets.get(word_set, 0)
        self._members = alphabet.members
        own = [*consumers, *(label.units for label in next_in), *graph.kind_sets]
        self._own_sets = _union(1 << number for number in own)
        self._by_class: dict[int, tuple[int, int]] = {}
        self._satisfied: dict[tuple[int, int], int] = {}

    def class_keys(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Returns the distinct keys of classes, each of which is all that this group distinguishes, and for each class
        the index of its key.
        """
        numbers: dict[int, int] = {}
        own_sets = self._own_sets
        own = [numbers.setdefault(members & own_sets, len(numbers)) for members in self._members]
        return tuple(numbers), tuple(own)

    def items_of_patterns(self, patterns: Set[int]) -> int:
        items = 0
        for first, pattern, stop in self._ranges:
            if pattern in patterns:
                items |= (1 << stop) - (1 << first)
        return items

    def consuming_items(self, key: int) -> tuple[int, int]:
        """Returns the items that consume units with this class key, and the kind of the position after such a unit
        without the results of lookbehinds.
        """
        known = self._by_class.get(key)
        if known is None:
            kind = _union(bit for number, bit in self._kind_sets if key >> number & 1)
            # Few of possibly thousands of sets contain the unit.
            consumers = _union(self._consumers[number] for number in bit_indexes(key & self._consumer_sets))
            known = self._by_class[key] = (consumers, kind)
        return known

    def resolve_tests(self, kind: int, key: int) -> int:
        """Returns the items whose test of the next unit passes, at a position of this kind before a unit with this
        class key or `END`.
        """
        satisfied = self._satisfied.get((kind, key))
        if satisfied is None:
            if key == END:
                satisfied = _union(items for label, items in self._next_in if label.holds_at_end)
                is_boundary = bool(kind & self._word_bit)
            else:
                satisfied = _union(self._next_in_set[number] for number in bit_indexes(key & self._next_sets))
                is_boundary = bool(kind & self._word_bit) != bool(key >> self._word_set & 1)
            satisfied |= self._boundaries if is_boundary else self._not_boundaries
            self._satisfied[kind, key] = satisfied
        return satisfied

    def match_reports(self, items: int) -> tuple[int, ...]:
        """Returns the match reports of reaching `items`."""
        items &= self.ends
        if not items:
            return ()
        return tuple(sorted(set(map(self._reports_by_item.__getitem__, bit_indexes(items)))))

    def without_subsumed(self, items: int) -> int:
        """Returns `items` without those that another one of them subsumes."""
        if items & self.chained:
            for chain in self.chains:
                mine = items & chain
                if mine & (mine - 1):
                    items ^= mine ^ (1 << mine.bit_length() - 1)
        return items


def holds(kinds: int, negated: bool, kind: int) -> bool:
    """Returns whether a guard admits a thread at a position of this kind."""
    return bool(kinds & kind) != negated


def _union(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)


def _lookbehinds(graph: NfaGraph) -> tuple[tuple[ItemEntry, int, int, int], ...]:
    found: list[tuple[ItemEntry, int, int, int]] = []
    inner = 0
    for lookbehind in graph.lookbehinds:
        items = (1 << lookbehind.stop) - (1 << lookbehind.end) & ~inner
        inner |= items
        found.append((lookbehind.body, 1 << lookbehind.end, items, lookbehind.kind_bit))
    return tuple(found)
