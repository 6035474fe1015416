"""Questions about the shape of a tree that lowering asks. A wrong "no" costs speed only, never an answer."""

from __future__ import annotations

from typing import assert_never

from ttsr_ls.esregex.bottom_up import evaluate
from ttsr_ls.esregex.nodes import (
    Alternation,
    Assertion,
    Backreference,
    Capture,
    Chars,
    Group,
    Look,
    Node,
    Repeat,
    Sequence,
)
from ttsr_ls.esregex.unit_set import UnitSet
from ttsr_ls.esregex.widths import greatest_width

_DEEPEST = 50


def is_nullable(node: Node, depth: int = 0) -> bool:
    """Whether `node` matches the empty string at every place. No is the answer where that takes long to say."""
    if depth > _DEEPEST:
        return False
    match node:
        case Chars() | Assertion() | Look() | Backreference():
            return False
        case Capture() | Group():
            return is_nullable(node.body, depth + 1)
        case Repeat():
            return node.minimum == 0 or is_nullable(node.body, depth + 1)
        case Sequence():
            return all(is_nullable(item, depth + 1) for item in node.items)
        case Alternation():
            return any(is_nullable(branch, depth + 1) for branch in node.branches)
        case _:
            assert_never(node)


def may_consume(node: Node) -> bool:
    """Whether some match of `node` is longer than the empty string."""
    return evaluate(node, greatest_width) > 0


def single_unit_set(node: Node) -> UnitSet | None:
    """The set of which `node` matches exactly one unit, if that is what it does."""
    while isinstance(node, Capture | Group):
        node = node.body
    if isinstance(node, Chars):
        return node.units
    if isinstance(node, Alternation) and all(isinstance(branch, Chars) for branch in node.branches):
        return UnitSet.of(
            [pair for branch in node.branches if isinstance(branch, Chars) for pair in branch.units.ranges]
        )
    return None
