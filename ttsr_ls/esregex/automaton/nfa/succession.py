"""Patterns that require several texts one after the other, with anything between them: `a[\\s\\S]*b`.

Authors use them for "a file that imports this and later uses that". Because any text may come between, the first end of
the first part is the best position from which to search for the second part. Each part is a pattern of its own; its end
is recorded, and no thread lives through the whole text while the second part is awaited.
"""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.esregex.automaton.nfa.tree_predicates import (
    is_nullable,
    may_end_waiting,
    single_unit_set,
    subpattern,
    without_groups,
)
from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import (
    Assertion,
    AssertionKind,
    Backreference,
    Look,
    Node,
    Pattern,
    Repeat,
    Sequence,
    walk,
)
from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT
from ttsr_ls.esregex.tree.widths import WIDEST, greatest_width, least_width


class SuccessionStep(Struct, frozen=True):
    """A part of a succession. A part that is reported at a position ended there, or one unit earlier if it `waits`."""

    pattern: Pattern
    least: int
    greatest: int | None
    """How many units it consumes; None is no bound."""
    waits: bool


def succession(pattern: Pattern) -> tuple[SuccessionStep, ...] | None:
    """Returns the parts of a pattern that is a succession, at least two; None for any other pattern."""
    root = without_groups(pattern.root)
    if not isinstance(root, Sequence) or not any(_is_gap(item) for item in root.items):
        return None
    parts = [items for items in _split(root.items) if not all(is_nullable(item) for item in items)]
    if parts and _is_start(parts[0]):
        del parts[0]
    steps = [_step(pattern, items) for items in parts]
    if len(steps) < 2 or any(step.waits for step in steps[:-1]) or not all(step.least for step in steps):
        return None
    if any(isinstance(node, Look | Backreference) for node in walk(root)):
        return None
    return tuple(steps)


def _is_gap(node: Node) -> bool:
    return (
        isinstance(node, Repeat)
        and not node.minimum
        and node.maximum is None
        and single_unit_set(node.body) == EVERY_UNIT
    )


def _is_start(items: tuple[Node, ...]) -> bool:
    return all(isinstance(item, Assertion) and item.kind is AssertionKind.INPUT_START for item in items)


def _split(items: tuple[Node, ...]) -> list[tuple[Node, ...]]:
    parts: list[list[Node]] = [[]]
    for item in items:
        if _is_gap(item):
            parts.append([])
        else:
            parts[-1].append(item)
    return [tuple(part) for part in parts]


def _step(pattern: Pattern, items: tuple[Node, ...]) -> SuccessionStep:
    part = subpattern(pattern, items)
    minimum, maximum = _widths(items)
    return SuccessionStep(
        part,
        minimum,
        None if maximum >= WIDEST else maximum,
        may_end_waiting(part.root),
    )


def _widths(items: tuple[Node, ...]) -> tuple[int, int]:
    """Returns the least and the greatest number of units that the items consume, without optional items at their ends,
    which are not matched.
    """
    nodes = list(items)
    while nodes and is_nullable(nodes[0]):
        del nodes[0]
    while nodes and is_nullable(nodes[-1]):
        del nodes[-1]
    minimum = maximum = 0
    for index, item in enumerate(nodes):
        least, greatest = fold_tree(item, least_width), fold_tree(item, greatest_width)
        if isinstance(item, Repeat) and index in (0, len(nodes) - 1):
            greatest = item.minimum * fold_tree(item.body, greatest_width)
        minimum += least
        maximum += greatest
    return minimum, maximum
