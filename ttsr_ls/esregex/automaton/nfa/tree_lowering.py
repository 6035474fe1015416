"""Lowers the tree of a pattern to items of an NFA group, from the end of the pattern to its start.

Only the existence of a match matters, and the prefix on which it is final: optional nodes at either end of a pattern
are left out, and a lookbehind at its start is matched as a part of it. Owns consuming nodes and their order;
`nfa_lowering` has the rest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import assert_never

from msgspec.structs import replace

from ttsr_ls.esregex.automaton.nfa.items import (
    NEVER,
    CounterStart,
    ItemEntry,
    PatternEnd,
    Split,
)
from ttsr_ls.esregex.automaton.nfa.lowering_errors import UnsupportedHere
from ttsr_ls.esregex.automaton.nfa.nfa_graph import NfaGraph, RepeatCounter, StateGrowth
from ttsr_ls.esregex.automaton.nfa.tree_predicates import is_nullable, single_unit_set, starts_with_anything
from ttsr_ls.esregex.finality.polarity import Polarity
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    Backreference,
    Capture,
    Chars,
    Group,
    Look,
    LookKind,
    Node,
    Pattern,
    Repeat,
    Sequence,
)
from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT, UnitSet

MAX_DEPTH = 100
"""How many nodes a node may be nested in: this module recurses, a few frames a node. Real patterns have about ten."""

SHORTEST_CHAIN = 4
"""From this many optional copies on, it pays to drop threads that other threads subsume."""


SHORTEST_COUNTER = 8
"""From this many optional copies of a unit on, a counter of the stream replaces the copies."""


class TreeLowering(ABC):
    """Translates the tree of one pattern into NFA items. Subclasses such as `NfaLowering` lower zero-width nodes."""

    _trims_end = True

    def __init__(self, graph: NfaGraph, pattern: Pattern, most_items: int) -> None:
        self.graph = graph
        self.pattern = pattern
        self._first_item = len(graph.labels)
        self._most_items = self._first_item + most_items
        self._allowed = self._work_left = 2 * most_items
        self._has_input_start = False
        self._depth = 0
        self._looks_around = 0
        self._behinds_around = 0
        self._open_ends: set[int] = set()
        """The ends before which optional nodes are left out."""

    @property
    def work(self) -> int:
        """The number of steps so far."""
        return self._allowed - self._work_left + len(self.graph.labels) - self._first_item

    def lower(self, index: int) -> None:
        """Adds the pattern to the NFA group under the number `index`. Raises `NotExpressible`."""
        end = self.graph.add(PatternEnd(index), None)
        if self._trims_end:
            self._open_ends.add(end)
        self.graph.starts.append(self._first(self.pattern.root, end, Polarity.MUST))

    def _node(self, node: Node, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry:
        """Returns the entry of `node` followed by `next_entry`."""
        if next_entry is NEVER:
            return NEVER
        if type(node) is Chars:
            return self._consume(node.units, next_entry)
        self._work_left -= 1
        if self._depth > MAX_DEPTH or self._work_left < 0 or len(self.graph.labels) > self._most_items:
            return self._too_large(next_entry, polarity)
        self._depth += 1
        entry = self._inner(node, next_entry, polarity)
        self._depth -= 1
        return entry

    def _inner(self, node: Node, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry:
        match node:
            case Sequence():
                return self._sequence(node, next_entry, polarity)
            case Repeat():
                return self._repeat(node, next_entry, polarity)
            case Group() | Capture():
                return self._node(node.body, next_entry, polarity)
            case Alternation():
                units = single_unit_set(node)
                if units is not None:
                    return self._consume(units, next_entry)
                return self._split([self._node(branch, next_entry, polarity) for branch in node.branches], next_entry)
            case Assertion():
                return self._assertion(node, next_entry, polarity)
            case Look():
                return self._look(node, next_entry, polarity)
            case Backreference():
                return self._reference(node, next_entry, polarity)
            case Chars():
                return self._consume(node.units, next_entry)
            case _:
                assert_never(node)

    def _consume(self, units: UnitSet, next_entry: ItemEntry) -> ItemEntry:
        if next_entry is NEVER or not units:
            return NEVER
        if self._has_input_start and self.graph.needs_start(next_entry):
            return NEVER
        if len(self.graph.labels) > self._most_items:
            return self._too_large(next_entry, Polarity.MUST)
        return self.graph.add_consume(units, next_entry)

    def _sequence(self, node: Sequence, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry:
        for item in reversed(node.items):
            next_entry = self._node(item, next_entry, polarity)
        return next_entry

    def _split(self, entries: list[ItemEntry], next_entry: ItemEntry) -> ItemEntry:
        if next_entry in entries and self._is_open_end(next_entry):
            return next_entry
        branches = [entry for entry in entries if entry is not NEVER]
        if not branches:
            return NEVER
        return branches[0] if len(branches) == 1 else Split(branches)

    def _is_open_end(self, entry: ItemEntry) -> bool:
        return isinstance(entry, int) and entry in self._open_ends

    def _repeat(self, node: Repeat, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry:
        minimum, maximum = self._counts(node, polarity)
        copies = minimum
        if not self._is_open_end(next_entry):
            if maximum is None:
                next_entry = self._loop(node.body, minimum, next_entry, polarity)
                copies = max(0, minimum - 1)
            else:
                next_entry = self._optional_copies(node.body, maximum - minimum, next_entry, polarity)
        return self._copies(node.body, copies, next_entry, polarity)

    def _loop(self, body: Node, minimum: int, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry:
        """Returns the entry of any number of copies, at least one if `minimum` is not 0."""
        if self._has_input_start and self.graph.needs_start(next_entry):
            # No round may consume anything.
            return self._node(body, next_entry, polarity) if minimum else next_entry
        units = single_unit_set(body)
        if units is not None:
            self._require_growth_of_loop(units)
        loop = Split([])
        entry = self._node(body, loop, polarity)
        loop.branches = [next_entry] if entry is NEVER or entry is loop else [entry, next_entry]
        return entry if minimum and entry is not loop else loop

    def _optional_copies(self, body: Node, count: int, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry:
        units = single_unit_set(body)
        if units and count >= SHORTEST_COUNTER and not self._looks_around and not self.graph.nfa_group.looks_allowed:
            return self._counted_loop(units, count, next_entry)
        if count >= SHORTEST_CHAIN:
            self._require_growth(StateGrowth.COUNTING)
        entry, first = next_entry, len(self.graph.labels)
        for _ in range(count):
            copy = self._node(body, entry, polarity)
            if copy is NEVER or copy is entry:
                return entry
            entry = Split([copy, next_entry])
        if isinstance(body, Chars) and count >= SHORTEST_CHAIN:
            self.graph.chains.append((1 << len(self.graph.labels)) - (1 << first))
        return entry

    def _counted_loop(self, units: UnitSet, count: int, next_entry: ItemEntry) -> ItemEntry:
        """Returns the entry of up to `count` units of a set, as a loop with a counter."""
        graph = self.graph
        self._require_growth_of_loop(units)
        loop = Split([])
        entry = self._consume(units, loop)
        if entry is NEVER or not isinstance(entry, int):
            return next_entry
        loop.branches = [entry, next_entry]
        number = len(graph.counters)
        graph.counters.append(RepeatCounter(entry, count))
        position = graph.add(CounterStart(number, before=False), None)
        # `PlainDeterminizer` relies on this one to be the next item.
        graph.add(CounterStart(number, before=True), None)
        return Split([entry, position, next_entry])

    def _require_growth_of_loop(self, units: UnitSet) -> None:
        if units == EVERY_UNIT:
            self._require_growth(StateGrowth.STICKY)
        elif len(units.ranges) < 10 and units.size > 50_000:
            self._require_growth(StateGrowth.SPANNING)

    def _require_growth(self, growth: StateGrowth) -> None:
        if growth > self.graph.nfa_group.growth:
            raise UnsupportedHere(replace(self.graph.nfa_group, growth=growth))

    def _copies(self, body: Node, count: int, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry:
        for _ in range(count):
            entry = self._node(body, next_entry, polarity)
            if entry is next_entry:
                break
            next_entry = entry
        return next_entry

    def _first(self, node: Node, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry:
        """Like `_node`, for a node at the start of a pattern or a lookbehind, which may start anywhere."""
        while isinstance(node, Group | Capture) or (isinstance(node, Look) and node.kind is LookKind.BEHIND):
            node = node.body
        if next_entry is NEVER or self._depth > MAX_DEPTH:
            return self._node(node, next_entry, polarity)
        self._depth += 1
        entry = self._inner_first(node, next_entry, polarity)
        self._depth -= 1
        return entry

    def _inner_first(self, node: Node, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry:
        match node:
            case Sequence():
                first = 2 if starts_with_anything(node) else 0
                while first < len(node.items) and is_nullable(node.items[first]):
                    first += 1
                for item in reversed(node.items[first + 1 :]):
                    next_entry = self._node(item, next_entry, polarity)
                return self._first(node.items[first], next_entry, polarity) if first < len(node.items) else next_entry
            case Repeat():
                minimum, _ = self._counts(node, polarity)
                if not minimum or is_nullable(node.body):
                    return next_entry
                return self._first(node.body, self._copies(node.body, minimum - 1, next_entry, polarity), polarity)
            case Alternation() if single_unit_set(node) is None:
                return self._split([self._first(branch, next_entry, polarity) for branch in node.branches], next_entry)
            case _:
                return self._node(node, next_entry, polarity)

    @abstractmethod
    def _counts(self, node: Repeat, polarity: Polarity) -> tuple[int, int | None]:
        """Returns the least and the greatest number of times that the body of `node` is matched."""

    @abstractmethod
    def _too_large(self, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry:
        """Returns the entry of a node that is nested too deep, or would make too many items."""

    @abstractmethod
    def _assertion(self, node: Assertion, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry: ...

    @abstractmethod
    def _look(self, node: Look, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry: ...

    @abstractmethod
    def _reference(self, node: Backreference, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry: ...
