"""Replaces backreferences, for a pattern that matches at least wherever the original one does."""

from __future__ import annotations

from typing import assert_never

from ttsr_ls.esregex.tree.backreferences import ANY_TEXT, EMPTY_TEXT, captured_texts
from ttsr_ls.esregex.tree.bottom_up import fold_tree_incrementally
from ttsr_ls.esregex.tree.incremental import Incremental
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    Backreference,
    Capture,
    Chars,
    Group,
    Look,
    Node,
    Pattern,
    Repeat,
    Sequence,
    walk,
    with_children,
)

_MAX_NODES = 2_000
"""How many nodes the copies of captured bodies may have in all. Each backreference needs a copy."""


def without_backreferences_incrementally(pattern: Pattern) -> Incremental[Pattern]:
    """Returns, in portions, the pattern with each backreference replaced by the texts of its captures. Lookarounds with
    backreferences are left out.
    """
    bodies = {node.index: node.body for node in walk(pattern.root) if isinstance(node, Capture)}
    sizes: dict[int, int] = {}
    with_references: set[int] = set()
    remaining = _MAX_NODES

    def measure(node: Node, child_results: tuple[tuple[int, bool], ...]) -> tuple[int, bool]:
        size = sum([item for item, _ in child_results])
        refers = isinstance(node, Backreference) or any(item for _, item in child_results)
        if isinstance(node, Capture):
            sizes[node.index] = size
        elif isinstance(node, Look) and refers:
            with_references.add(id(node))
        return size + 1, refers

    yield from fold_tree_incrementally(pattern.root, measure)

    def combine(node: Node, children: tuple[Node, ...]) -> Node:
        nonlocal remaining
        match node:
            case Backreference():
                groups = [group for group in node.groups if group in bodies]
                remaining -= sum(sizes[group] for group in groups)
                if remaining < 0:
                    return ANY_TEXT
                texts = tuple([captured_texts(bodies[group], node.ignore_case) for group in groups])
                return Alternation(node.span, (*texts, EMPTY_TEXT))
            case Look():
                return EMPTY_TEXT if id(node) in with_references else with_children(node, children)
            case Capture() | Group():
                return children[0]
            case Repeat():
                return Repeat(node.span, children[0], node.minimum, node.maximum, node.lazy, 1, 1)
            case Sequence() | Alternation() | Chars() | Assertion():
                return with_children(node, children)
            case _:
                assert_never(node)

    return Pattern(pattern.source, (yield from fold_tree_incrementally(pattern.root, combine)), 0, ())
