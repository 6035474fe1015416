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
from ttsr_ls.esregex.automaton.nfa.nfa_graph import NfaGraph, RepeatCounter, StateGrowth
from ttsr_ls.esregex.automaton.nfa.polarity import Polarity, UnsupportedHere
from ttsr_ls.esregex.automaton.nfa.tree_predicates import is_nullable, single_unit_set, starts_with_anything
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
"""From how many optional copies on it pays to look for threads that others make superfluous."""


SHORTEST_COUNTER = 8
"""From how many optional copies of a unit on they are counted by the stream and not by items."""


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
        """The ends before which something optional need not be matched."""

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

    def _node(self, node: Node, after: ItemEntry, polarity: Polarity) -> ItemEntry:
        """The entry of `node` followed by `after`."""
        if after is NEVER:
            return NEVER
        if type(node) is Chars:
            return self._consume(node.units, after)
        self._work_left -= 1
        if self._depth > MAX_DEPTH or self._work_left < 0 or len(self.graph.labels) > self._most_items:
            return self._too_large(after, polarity)
        self._depth += 1
        entry = self._inner(node, after, polarity)
        self._depth -= 1
        return entry

    def _inner(self, node: Node, after: ItemEntry, polarity: Polarity) -> ItemEntry:
        match node:
            case Sequence():
                return self._sequence(node, after, polarity)
            case Repeat():
                return self._repeat(node, after, polarity)
            case Group() | Capture():
                return self._node(node.body, after, polarity)
            case Alternation():
                units = single_unit_set(node)
                if units is not None:
                    return self._consume(units, after)
                return self._split([self._node(branch, after, polarity) for branch in node.branches], after)
            case Assertion():
                return self._assertion(node, after, polarity)
            case Look():
                return self._look(node, after, polarity)
            case Backreference():
                return self._reference(node, after, polarity)
            case Chars():
                return self._consume(node.units, after)
            case _:
                assert_never(node)

    def _consume(self, units: UnitSet, after: ItemEntry) -> ItemEntry:
        if after is NEVER or not units:
            return NEVER
        if self._has_input_start and self.graph.needs_start(after):
            return NEVER
        if len(self.graph.labels) > self._most_items:
            return self._too_large(after, Polarity.MUST)
        return self.graph.add_consume(units, after)

    def _sequence(self, node: Sequence, after: ItemEntry, polarity: Polarity) -> ItemEntry:
        for item in reversed(node.items):
            after = self._node(item, after, polarity)
        return after

    def _split(self, entries: list[ItemEntry], after: ItemEntry) -> ItemEntry:
        if after in entries and self._is_open_end(after):
            return after
        branches = [entry for entry in entries if entry is not NEVER]
        if not branches:
            return NEVER
        return branches[0] if len(branches) == 1 else Split(branches)

    def _is_open_end(self, entry: ItemEntry) -> bool:
        return isinstance(entry, int) and entry in self._open_ends

    def _repeat(self, node: Repeat, after: ItemEntry, polarity: Polarity) -> ItemEntry:
        minimum, maximum = self._counts(node, polarity)
        copies = minimum
        if not self._is_open_end(after):
            if maximum is None:
                after = self._loop(node.body, minimum, after, polarity)
                copies = max(0, minimum - 1)
            else:
                after = self._optional_copies(node.body, maximum - minimum, after, polarity)
        return self._copies(node.body, copies, after, polarity)

    def _loop(self, body: Node, minimum: int, after: ItemEntry, polarity: Polarity) -> ItemEntry:
        """Any number of copies, but at least one if `minimum` is not 0."""
        if self._has_input_start and self.graph.needs_start(after):
            # No round may consume anything.
            return self._node(body, after, polarity) if minimum else after
        units = single_unit_set(body)
        if units is not None:
            self._need_temper_of_loop(units)
        loop = Split([])
        entry = self._node(body, loop, polarity)
        loop.branches = [after] if entry is NEVER or entry is loop else [entry, after]
        return entry if minimum and entry is not loop else loop

    def _optional_copies(self, body: Node, count: int, after: ItemEntry, polarity: Polarity) -> ItemEntry:
        units = single_unit_set(body)
        if units and count >= SHORTEST_COUNTER and not self._looks_around and not self.graph.nfa_group.looks_allowed:
            return self._clocked(units, count, after)
        if count >= SHORTEST_CHAIN:
            self._need_temper(StateGrowth.COUNTING)
        entry, first = after, len(self.graph.labels)
        for _ in range(count):
            copy = self._node(body, entry, polarity)
            if copy is NEVER or copy is entry:
                return entry
            entry = Split([copy, after])
        if isinstance(body, Chars) and count >= SHORTEST_CHAIN:
            self.graph.chains.append((1 << len(self.graph.labels)) - (1 << first))
        return entry

    def _clocked(self, units: UnitSet, count: int, after: ItemEntry) -> ItemEntry:
        """Up to `count` units of a set, by a loop that is left in time."""
        graph = self.graph
        self._need_temper_of_loop(units)
        loop = Split([])
        entry = self._consume(units, loop)
        if entry is NEVER or not isinstance(entry, int):
            return after
        loop.branches = [entry, after]
        number = len(graph.counters)
        graph.counters.append(RepeatCounter(entry, count))
        position = graph.add(CounterStart(number, before=False), None)
        # `PlainDeterminizer` relies on this one to be the next item.
        graph.add(CounterStart(number, before=True), None)
        return Split([entry, position, after])

    def _need_temper_of_loop(self, units: UnitSet) -> None:
        if units == EVERY_UNIT:
            self._need_temper(StateGrowth.STICKY)
        elif len(units.ranges) < 10 and units.size > 50_000:
            self._need_temper(StateGrowth.SPANNING)

    def _need_temper(self, growth: StateGrowth) -> None:
        if growth > self.graph.nfa_group.growth:
            raise UnsupportedHere(replace(self.graph.nfa_group, growth=growth))

    def _copies(self, body: Node, count: int, after: ItemEntry, polarity: Polarity) -> ItemEntry:
        for _ in range(count):
            entry = self._node(body, after, polarity)
            if entry is after:
                break
            after = entry
        return after

    def _first(self, node: Node, after: ItemEntry, polarity: Polarity) -> ItemEntry:
        """As `_node`, for what nothing stands before in a pattern (or a lookbehind) that may start anywhere."""
        while isinstance(node, Group | Capture) or (isinstance(node, Look) and node.kind is LookKind.BEHIND):
            node = node.body
        if after is NEVER or self._depth > MAX_DEPTH:
            return self._node(node, after, polarity)
        self._depth += 1
        entry = self._inner_first(node, after, polarity)
        self._depth -= 1
        return entry

    def _inner_first(self, node: Node, after: ItemEntry, polarity: Polarity) -> ItemEntry:
        match node:
            case Sequence():
                first = 2 if starts_with_anything(node) else 0
                while first < len(node.items) and is_nullable(node.items[first]):
                    first += 1
                for item in reversed(node.items[first + 1 :]):
                    after = self._node(item, after, polarity)
                return self._first(node.items[first], after, polarity) if first < len(node.items) else after
            case Repeat():
                minimum, _ = self._counts(node, polarity)
                if not minimum or is_nullable(node.body):
                    return after
                return self._first(node.body, self._copies(node.body, minimum - 1, after, polarity), polarity)
            case Alternation() if single_unit_set(node) is None:
                return self._split([self._first(branch, after, polarity) for branch in node.branches], after)
            case _:
                return self._node(node, after, polarity)

    @abstractmethod
    def _counts(self, node: Repeat, polarity: Polarity) -> tuple[int, int | None]:
        """Returns the least and the greatest number of times that the body of `node` is matched."""

    @abstractmethod
    def _too_large(self, after: ItemEntry, polarity: Polarity) -> ItemEntry:
        """The entry of a node that is nested too deep, or one too many."""

    @abstractmethod
    def _assertion(self, node: Assertion, after: ItemEntry, polarity: Polarity) -> ItemEntry: ...

    @abstractmethod
    def _look(self, node: Look, after: ItemEntry, polarity: Polarity) -> ItemEntry: ...

    @abstractmethod
    def _reference(self, node: Backreference, after: ItemEntry, polarity: Polarity) -> ItemEntry: ...
