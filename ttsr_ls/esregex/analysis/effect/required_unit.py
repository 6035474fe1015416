"""Decides whether no match of a pattern can do without one certain code unit."""

from __future__ import annotations

from ttsr_ls.esregex.tree.bottom_up import evaluate
from ttsr_ls.esregex.tree.nodes import Alternation, Capture, Chars, Group, Node, Pattern, Repeat, Sequence


def requires_unit(pattern: Pattern, unit: int) -> bool:
    """Whether each text that the pattern matches has the code unit `unit` in its match; looks are left out."""

    def needs(node: Node, below: tuple[bool, ...]) -> bool:
        match node:
            case Chars():
                return node.units.only == unit
            case Sequence():
                return any(below)
            case Alternation():
                return bool(below) and all(below)
            case Capture() | Group():
                return below[0]
            case Repeat():
                return node.minimum > 0 and below[0]
            case _:
                return False

    return evaluate(pattern.root, needs)
