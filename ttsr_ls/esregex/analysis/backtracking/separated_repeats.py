"""Decides without an automaton that the repeats of a sequence cannot match one text in several ways. This is true for
most patterns.
"""

from __future__ import annotations

from itertools import combinations

from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import Alternation, Backreference, Chars, Node, Repeat, Sequence, walk
from ttsr_ls.esregex.tree.unit_set import UnitSet
from ttsr_ls.esregex.tree.widths import first_units

_MAX_COMPARED = 300_000
"""How many items between all pairs of repeats may be checked. Real patterns have a hundredth of that."""


def has_separated_repeats(root: Node) -> bool:
    """Returns whether any two repeats are separated by a unit that must match and that one of the two repeats cannot
    match.

    Then only one of them can take a repeated text, and in one way only. False means "unknown": it is the answer for
    anything but single characters repeated side by side.
    """
    branches = root.branches if isinstance(root, Alternation) else (root,)
    return all(_are_separated(branch.items if isinstance(branch, Sequence) else (branch,)) for branch in branches)


def _are_separated(items: tuple[Node, ...]) -> bool:
    loops = []
    for index, item in enumerate(items):
        if type(item) is Chars:
            continue
        if _is_loop(item):
            if _body(item) is None:
                return False
            loops.append(index)
        elif any(_is_loop(node) or isinstance(node, Backreference) for node in walk(item)):
            return False
    if len(loops) ** 2 * len(items) > _MAX_COMPARED:
        return False
    units = [_required_units(item) for item in items]
    return all(_is_separated(items, units, one, other) for one, other in combinations(loops, 2))


def _is_loop(node: Node) -> bool:
    return isinstance(node, Repeat) and node.maximum != 1


def _body(node: Node) -> UnitSet | None:
    """Returns the repeated units if the body is a single unit."""
    return node.body.units if isinstance(node, Repeat) and isinstance(node.body, Chars) else None


def _is_separated(items: tuple[Node, ...], required: list[UnitSet | None], one: int, other: int) -> bool:
    left, right = _body(items[one]), _body(items[other])
    if left is None or right is None:
        return False
    between = [units for units in required[one + 1 : other] if units is not None]
    if any(
        single_unit not in left or single_unit not in right
        for units in between
        if (single_unit := units.single_unit) is not None
    ):
        return True
    common = left & right
    return not common or any(not common & units for units in between)


def _required_units(item: Node) -> UnitSet | None:
    """Returns the units one of which an item must match; None if the item may match the empty text."""
    if isinstance(item, Chars):
        return item.units
    units, may_be_empty = fold_tree(item, first_units)
    return None if may_be_empty else units
