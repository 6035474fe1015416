"""Bounds how far before a required factor a match may start in a given text."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ttsr_ls.esregex.automaton.dfa.alphabet import Codes
from ttsr_ls.esregex.automaton.dfa.factors import Factor
from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import Backreference, Chars, Look, Node, Pattern, walk
from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT, UnitSet
from ttsr_ls.esregex.tree.widths import WIDEST, greatest_width

_MAX_UNITS = 300
"""A factor that may be further from the start of a match, not counting loops, is not used."""


class Lookback(Struct, frozen=True):
    """Bounds the start of a match, beginning at the end of its factor. Each step leads to an earlier position.

    A step that is a number goes back that many units; a step that is a set of codes goes back over all adjacent units
    with such a code.
    """

    steps: tuple[int | tuple[frozenset[int], bytes], ...]
    """Codes are a set; the codes that fit into a byte are also given as bytes."""

    @property
    def distance(self) -> int | None:
        """The number of units from the start of a match to the end of its factor; None if that depends on the text."""
        first = self.steps[0]
        return first if len(self.steps) == 1 and isinstance(first, int) else None

    def start(self, recent: Codes, end: int) -> int:
        """Returns the first position at which a match may start whose factor ends at `end`; 0 or less if the match may
        start earlier than `recent`.
        """
        position = end
        for step in self.steps:
            if isinstance(step, int):
                position -= step
            elif position > 0:
                codes, small = step
                if isinstance(recent, bytes):
                    position = len(recent[:position].rstrip(small))
                else:
                    while position > 0 and recent[position - 1] in codes:
                        position -= 1
            if position <= 0:
                break
        return position


def lookback_steps(pattern: Pattern, factors: Iterable[Factor]) -> frozenset[tuple[int | UnitSet, ...]] | None:
    """Returns the steps of the lookbacks of some factors, in terms of unit sets; None if they go back too far."""
    behind: list[int | UnitSet] = []
    for node in walk(pattern.root):
        if type(node) is Look and node.kind.is_behind:
            width = fold_tree(node.body, greatest_width)
            behind.append(width if width < WIDEST else _consumed(node.body))
    if EVERY_UNIT in behind:
        return None
    widths: dict[int, int | UnitSet] = {}
    found: set[tuple[int | UnitSet, ...]] = set()
    # Branches of one alternation share the nodes before them.
    distinct = {(factor.width, id(factor.before)): factor for factor in factors}
    for factor in distinct.values():
        steps: list[int | UnitSet] = [factor.width]
        for node in reversed(factor.before):
            if id(node) not in widths:
                widest = fold_tree(node, greatest_width)
                widths[id(node)] = widest if widest < WIDEST else _consumed(node)
            steps.append(widths[id(node)])
        steps += behind
        if sum([step for step in steps if isinstance(step, int)]) > _MAX_UNITS:
            return None
        found.add(tuple(steps))
    return frozenset(found)


def lookback(steps: Iterable[int | UnitSet], units: Iterable[str]) -> Lookback:
    """Returns the lookback with these steps, for an alphabet whose codes are the units in order."""
    found: list[int | tuple[frozenset[int], bytes]] = []
    for step in steps:
        if isinstance(step, UnitSet):
            codes = frozenset([code for code, unit in enumerate(units) if ord(unit) in step])
            found.append((codes, bytes([code for code in codes if code <= 0xFF])))
        elif found and isinstance(found[-1], int):
            found[-1] += step
        else:
            found.append(step)
    return Lookback(tuple(found))


def _consumed(node: Node) -> UnitSet:
    """Returns all units that a node may consume."""
    ranges: list[tuple[int, int]] = []
    for inner in walk(node):
        if isinstance(inner, Chars):
            ranges += inner.units.ranges
        elif isinstance(inner, Backreference):
            return EVERY_UNIT
    return UnitSet.of(ranges)
