"""The graph of an NFA group: items, one bit each, and the items that may follow each of them.

An *item* consumes one unit, tests the next unit (or the end of the text), or marks an end. An item is followed by an
*entry*: an item, or a node that leads on to items at the same position of the text.
"""

from __future__ import annotations

from msgspec import Struct

START = 1
"""The bit of a position's *kind* for the start of the text. The other bits say that the previous unit belongs to a set,
or that a lookbehind's body ends at the position (`NfaGraph.kind_sets`, `.lookbehinds`)."""


class Consume(Struct, frozen=True):
    """An item that matches one unit of the set with this number."""

    units: int


class NextUnitTest(Struct, frozen=True):
    """An item that tests the next unit: it passes if the unit is in the set; at the end if `holds_at_end`."""

    units: int
    holds_at_end: bool


class Boundary(Struct, frozen=True):
    """A word boundary: passes if exactly one of the previous and the next unit is a word unit, or not if `negated`."""

    negated: bool


class PatternEnd(Struct, frozen=True):
    """An item that marks the end of the pattern with this number."""

    pattern: int


class LookEnd(Struct, frozen=True):
    """An item that marks the end of a lookaround's body."""


class CounterStart(Struct, frozen=True):
    """An item that restarts a repeat counter, at its position or `before` the last unit."""

    counter: int
    before: bool


Label = Consume | NextUnitTest | Boundary | PatternEnd | LookEnd | CounterStart


class Split:
    """Continues with each of its branches; without branches, it never matches. Loops are closed by adding branches
    later.
    """

    __slots__ = ("branches",)

    def __init__(self, branches: list[ItemEntry]) -> None:
        self.branches = branches


NEVER = Split([])
"""The entry that never matches. Recognised by identity: items that lead only to it are not built."""


class Guard(Struct, frozen=True, eq=False):
    """Passes if the kind of the position has one of `kinds`, or none of them if `negated`."""

    kinds: int
    negated: bool
    after: ItemEntry


class LookaheadEntry(Struct, frozen=True, eq=False):
    """Continues with `after` and a pending lookahead: `body` must reach the item `end` from here, or must not if
    `negated`.
    """

    body: ItemEntry
    end: int
    negated: bool
    after: ItemEntry


ItemEntry = int | Split | Guard | LookaheadEntry
