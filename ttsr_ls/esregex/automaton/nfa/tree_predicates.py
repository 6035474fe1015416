"""Predicates over trees, and parts of trees. A wrong "no" costs only speed, and never changes a result."""

from __future__ import annotations

from typing import assert_never

from ttsr_ls.esregex.tree.bottom_up import fold_tree
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
    Pattern,
    Repeat,
    Sequence,
)
from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT, UnitSet
from ttsr_ls.esregex.tree.widths import least_width

_MAX_DEPTH = 50


def is_nullable(node: Node, depth: int = 0) -> bool:
    """Returns whether `node` matches the empty string at every position. False if that takes too long to decide."""
    if depth > _MAX_DEPTH:
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


def without_groups(node: Node) -> Node:
    """Returns the node inside the groups that enclose all of `node`."""
    while isinstance(node, Capture | Group):
        node = node.body
    return node


def subpattern(pattern: Pattern, items: tuple[Node, ...]) -> Pattern:
    """Returns the pattern that consists of some adjacent items of another one."""
    source = pattern.source[items[0].span.start : items[-1].span.end]
    return Pattern(source, Sequence(pattern.root.span, items), pattern.capture_count, pattern.capture_names)


def single_unit_set(node: Node) -> UnitSet | None:
    """Returns the set of units if `node` matches exactly one unit of a set, else None."""
    node = without_groups(node)
    if isinstance(node, Chars):
        return node.units
    if isinstance(node, Alternation) and all(isinstance(branch, Chars) for branch in node.branches):
        return UnitSet.of(
            [pair for branch in node.branches if isinstance(branch, Chars) for pair in branch.units.ranges]
        )
    return None


def may_end_waiting(node: Node, depth: int = 0) -> bool:
    """Returns whether some match of `node` ends with a test of the next unit. True in case of doubt."""
    if depth > _MAX_DEPTH:
        return True
    match node:
        case Chars():
            return False
        case Assertion():
            return node.kind not in (AssertionKind.INPUT_START, AssertionKind.LINE_START)
        case Look() | Backreference():
            return True
        case Capture() | Group() | Repeat():
            return may_end_waiting(node.body, depth + 1)
        case Sequence():
            for item in reversed(node.items):
                if may_end_waiting(item, depth + 1):
                    return True
                if fold_tree(item, least_width):
                    return False
            return False
        case Alternation():
            return any(may_end_waiting(branch, depth + 1) for branch in node.branches)
        case _:
            assert_never(node)


def starts_with_anything(node: Sequence) -> bool:
    r"""Returns whether `node` starts with `^[\s\S]*`, so that the rest may match anywhere."""
    match node.items:
        case (Assertion(kind=AssertionKind.INPUT_START), Repeat(minimum=0, maximum=None) as loop, *_):
            return single_unit_set(loop.body) == EVERY_UNIT
        case _:
            return False


def starts_at_start(pattern: Pattern) -> bool:
    """Returns whether all matches of a pattern start at the start of the text."""
    node = without_groups(pattern.root)
    while isinstance(node, Sequence) and node.items:
        if starts_with_anything(node):
            return False
        node = without_groups(node.items[0])
    return isinstance(node, Assertion) and node.kind is AssertionKind.INPUT_START
