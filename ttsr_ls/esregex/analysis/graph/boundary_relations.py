"""The conditions of `\\b`, `^`, `$` and lookarounds at a single unit, as relations between the kinds on both sides of a
position.

A relation is an `int` with the bit `before * kind_count + after` set where it holds; kind 0 is the end of the text.
Lookarounds that see more than one unit have no exact relation: they get the relation that always holds. A conclusion
from an inexact relation must allow for that (`BoundaryRelations.is_exact`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from ttsr_ls.esregex.analysis.graph.atoms import OUTSIDE, AtomPartition
from ttsr_ls.esregex.parse.escapes import LINE_TERMINATORS, WORD_UNITS
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    AssertionKind,
    Backreference,
    Capture,
    Chars,
    Group,
    Look,
    Node,
    Repeat,
    Sequence,
)
from ttsr_ls.esregex.tree.unit_set import UnitSet

_MAX_BODY_DEPTH = 8
"""The body of a lookaround at one unit is hardly ever deeper. This also bounds the recursion."""
_MAX_SETS = 6


def adjacent_unit_sets(node: Assertion | Look) -> tuple[UnitSet, ...]:
    """Returns the sets of units that decide whether a zero-width node holds."""
    if isinstance(node, Look):
        return tuple(_sets(node.body)) if depends_on_adjacent_units(node) else ()
    match node.kind:
        case AssertionKind.WORD_BOUNDARY | AssertionKind.NOT_WORD_BOUNDARY:
            return (WORD_UNITS,)
        case AssertionKind.LINE_START | AssertionKind.LINE_END:
            return (LINE_TERMINATORS,)
        case AssertionKind.INPUT_START | AssertionKind.INPUT_END:
            return ()
        case _:
            assert_never(node.kind)


def depends_on_adjacent_units(lookaround: Look) -> bool:
    """Returns whether the units directly before and after a position decide a lookaround there."""
    return (
        _is_simple(lookaround.body, lookaround.kind.is_behind, _MAX_BODY_DEPTH)
        and len(tuple(_sets(lookaround.body))) <= _MAX_SETS
    )


def _is_simple(node: Node, behind: bool, depth: int) -> bool:
    if depth == 0:
        return False
    match node:
        case Chars() | Assertion():
            return True
        case Capture() | Group():
            return _is_simple(node.body, behind, depth - 1)
        case Alternation():
            return all(_is_simple(branch, behind, depth - 1) for branch in node.branches)
        case Sequence():
            # At most one unit, on the side that is away from the position.
            items = node.items if behind else node.items[::-1]
            return all(isinstance(item, Assertion) for item in items[1:]) and (
                not items or _is_simple(items[0], behind, depth - 1)
            )
        case Repeat():
            return node.minimum <= 1 and isinstance(node.body, Chars) and node.maximum != 0
        case Look() | Backreference():
            return False
        case _:
            assert_never(node)


def _sets(node: Node) -> Iterator[UnitSet]:
    match node:
        case Chars():
            yield node.units
        case Assertion():
            yield from adjacent_unit_sets(node)
        case Capture() | Group() | Repeat():
            yield from _sets(node.body)
        case Sequence():
            for item in node.items:
                yield from _sets(item)
        case Alternation():
            for branch in node.branches:
                yield from _sets(branch)
        case Look() | Backreference():
            pass
        case _:
            assert_never(node)


class BoundaryRelations:
    """The relations over the kinds of some atoms."""

    __slots__ = ("_atoms", "_count", "always")

    def __init__(self, atoms: AtomPartition) -> None:
        self._atoms = atoms
        self._count = atoms.kind_count
        self.always = (1 << self._count * self._count) - 1

    def relation(self, node: Assertion | Look) -> int:
        """Returns the relation under which `node` holds, or may hold."""
        if isinstance(node, Assertion):
            return self._assertion(node.kind)
        if not depends_on_adjacent_units(node):
            return self.always
        body = self._body(node.body, node.kind.is_behind)
        return self.always ^ body if node.kind.is_negated else body

    def reversed_relation(self, relation: int) -> int:
        """Returns the relation read from right to left."""
        count = self._count
        return sum(
            [
                1 << after * count + before
                for before in range(count)
                for after in range(count)
                if relation >> before * count + after & 1
            ]
        )

    def _assertion(self, kind: AssertionKind) -> int:
        match kind:
            case AssertionKind.INPUT_START:
                return self._before(1 << OUTSIDE)
            case AssertionKind.INPUT_END:
                return self._after(1 << OUTSIDE)
            case AssertionKind.LINE_START:
                return self._before(1 << OUTSIDE | self._atoms.kinds_in(LINE_TERMINATORS))
            case AssertionKind.LINE_END:
                return self._after(1 << OUTSIDE | self._atoms.kinds_in(LINE_TERMINATORS))
            case AssertionKind.WORD_BOUNDARY:
                return self._boundary()
            case AssertionKind.NOT_WORD_BOUNDARY:
                return self.always ^ self._boundary()
            case _:
                assert_never(kind)

    def _body(self, node: Node, behind: bool) -> int:
        match node:
            case Chars():
                kinds = self._atoms.kinds_in(node.units)
                return self._before(kinds) if behind else self._after(kinds)
            case Assertion():
                return self._assertion(node.kind)
            case Capture() | Group():
                return self._body(node.body, behind)
            case Repeat():
                return self._body(node.body, behind) if node.minimum else self.always
            case Sequence():
                relation = self.always
                for item in node.items:
                    relation &= self._body(item, behind)
                return relation
            case Alternation():
                relation = 0
                for branch in node.branches:
                    relation |= self._body(branch, behind)
                return relation
            case Look() | Backreference():
                return self.always
            case _:
                assert_never(node)

    def _before(self, kinds: int) -> int:
        """Returns the relation that holds if the kind before the position is one of `kinds`."""
        row = (1 << self._count) - 1
        return sum([row << kind * self._count for kind in range(self._count) if kinds >> kind & 1])

    def _after(self, kinds: int) -> int:
        return sum([kinds << kind * self._count for kind in range(self._count)])

    def _boundary(self) -> int:
        words = self._atoms.kinds_in(WORD_UNITS)
        non_words = (1 << self._count) - 1 & ~words
        return (self._before(words) & self._after(non_words)) | (self._before(non_words) & self._after(words))
