"""Computes how many units past its end may decide about a match."""

from __future__ import annotations

from typing import assert_never

from ttsr_ls.esregex.tree.bottom_up import fold_tree_incrementally
from ttsr_ls.esregex.tree.incremental import Incremental
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
from ttsr_ls.esregex.tree.widths import WIDEST, greatest_width

_LOOKS_BACK = (AssertionKind.INPUT_START, AssertionKind.LINE_START)


def reach_past_end(root: Node) -> Incremental[int]:
    """Returns how many units past its end may decide about a match, at most `WIDEST`, which means no bound."""
    _, reach = yield from fold_tree_incrementally(root, _combine)
    return reach


def _combine(node: Node, child_results: tuple[tuple[int, int], ...]) -> tuple[int, int]:
    """Returns the greatest width of a node, and how far the node looks past any position in it."""
    width = greatest_width(node, tuple([width for width, _ in child_results]))
    reach = max([reach for _, reach in child_results], default=0)
    match node:
        case Assertion():
            return 0, 0 if node.kind in _LOOKS_BACK else 1
        case Look():
            return 0, reach if node.kind.is_behind else min(WIDEST, child_results[0][0] + reach)
        case Chars() | Backreference() | Capture() | Group() | Repeat() | Sequence() | Alternation():
            return width, reach
        case _:
            assert_never(node)
