"""Lowers zero-width nodes: assertions and lookarounds (`tree_lowering` lowers the rest).

A lookahead at the end of a pattern is matched as a part of it; a lookahead at a single unit becomes a test of the next
unit. A node is lowered under a `Polarity`: in bodies of negated lookarounds, to what may still match. A node that
cannot be expressed exactly raises `NotExpressible`; `approximation` has the variant that continues with an
approximation.
"""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from ttsr_ls.esregex.automaton.nfa.items import (
    NEVER,
    START,
    Boundary,
    Guard,
    ItemEntry,
    LookaheadEntry,
    LookEnd,
    NextUnitTest,
)
from ttsr_ls.esregex.automaton.nfa.lowering_errors import NfaTooLarge, NotExpressible, UnsupportedHere
from ttsr_ls.esregex.automaton.nfa.tree_lowering import TreeLowering
from ttsr_ls.esregex.automaton.nfa.tree_predicates import single_unit_set
from ttsr_ls.esregex.finality.polarity import Polarity
from ttsr_ls.esregex.parse.escapes import LINE_TERMINATORS, WORD_UNITS
from ttsr_ls.esregex.tree.nodes import (
    Assertion,
    AssertionKind,
    Backreference,
    Look,
    LookKind,
    Repeat,
)
from ttsr_ls.esregex.tree.unit_set import NO_UNIT


class NfaLowering(TreeLowering):
    """Lowers one pattern exactly. Raises `NotExpressible` for a pattern that is not expressible."""

    def _assertion(self, node: Assertion, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry:
        graph = self.graph
        match node.kind:
            case AssertionKind.INPUT_START:
                self._has_input_start = True
                return Guard(START, False, next_entry)
            case AssertionKind.LINE_START:
                return Guard(START | graph.kind_bit(LINE_TERMINATORS), False, next_entry)
            case AssertionKind.INPUT_END:
                return graph.add(NextUnitTest(graph.sets.number(NO_UNIT), holds_at_end=True), next_entry)
            case AssertionKind.LINE_END:
                return graph.add(NextUnitTest(graph.sets.number(LINE_TERMINATORS), holds_at_end=True), next_entry)
            case AssertionKind.WORD_BOUNDARY | AssertionKind.NOT_WORD_BOUNDARY:
                graph.kind_bit(WORD_UNITS)
                return graph.add(Boundary(node.kind is AssertionKind.NOT_WORD_BOUNDARY), next_entry)
            case _:
                assert_never(node.kind)

    def _look(self, node: Look, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry:
        if node.kind.is_behind:
            return self._look_behind(node, next_entry, polarity)
        if self._behinds_around:
            return self._unknown_look(next_entry, polarity)
        units = single_unit_set(node.body)
        sets = self.graph.sets
        if node.kind is LookKind.AHEAD:
            if self._is_open_end(next_entry):
                return self._node(node.body, next_entry, polarity)
            if units:
                return self.graph.add(NextUnitTest(sets.number(units), holds_at_end=False), next_entry)
            return self._look_ahead(node, next_entry, polarity)
        if units:
            return self.graph.add(NextUnitTest(sets.number(~units), holds_at_end=True), next_entry)
        return self._look_ahead(node, next_entry, polarity.opposite)

    def _look_ahead(self, node: Look, next_entry: ItemEntry, body_polarity: Polarity) -> ItemEntry:
        negated = node.kind.is_negated
        end = self.graph.add(LookEnd(), None)
        self._open_ends.add(end)
        self._looks_around += 1
        body = self._node(node.body, end, body_polarity)
        self._looks_around -= 1
        if body == end or body is NEVER:
            return next_entry if (body == end) != negated else NEVER
        if not self.graph.nfa_group.looks_allowed:
            raise UnsupportedHere(replace(self.graph.nfa_group, looks_allowed=True))
        return LookaheadEntry(body, end, negated, next_entry)

    def _look_behind(self, node: Look, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry:
        negated = node.kind.is_negated
        units = single_unit_set(node.body)
        if units:
            return Guard(self.graph.kind_bit(units), negated, next_entry)
        if not self.graph.nfa_group.looks_allowed:
            raise UnsupportedHere(replace(self.graph.nfa_group, looks_allowed=True))
        end = self.graph.add(LookEnd(), None)
        self._looks_around += 1
        self._behinds_around += 1
        body = self._first(node.body, end, polarity.opposite if negated else polarity)
        self._behinds_around -= 1
        self._looks_around -= 1
        if body == end or body is NEVER:
            return next_entry if (body == end) != negated else NEVER
        if self.graph.has_test_before(end):
            return self._unknown_look(next_entry, polarity)
        return Guard(self.graph.add_lookbehind(body, end), negated, next_entry)

    # Nodes that cannot be lowered exactly.

    def _counts(self, node: Repeat, polarity: Polarity) -> tuple[int, int | None]:
        return node.minimum, node.maximum

    def _too_large(self, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry:
        raise NfaTooLarge

    def _reference(self, node: Backreference, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry:
        raise NotExpressible

    def _unknown_look(self, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry:
        raise NotExpressible
