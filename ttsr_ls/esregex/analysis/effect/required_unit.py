"""Decides whether every match of a pattern contains a given code unit."""

from __future__ import annotations

from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import Alternation, Capture, Chars, Group, Node, Pattern, Repeat, Sequence


def requires_unit(pattern: Pattern, unit: int) -> bool:
    """Returns whether every match of the pattern contains the code unit `unit`. Lookarounds are not considered."""

    def requires(node: Node, child_results: tuple[bool, ...]) -> bool:
        match node:
            case Chars():
                return node.units.single_unit == unit
            case Sequence():
                return any(child_results)
            case Alternation():
                return bool(child_results) and all(child_results)
            case Capture() | Group():
                return child_results[0]
            case Repeat():
                return node.minimum > 0 and child_results[0]
            case _:
                return False

    return fold_tree(pattern.root, requires)
