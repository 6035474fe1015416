"""Replaces backreferences, for a pattern that matches at least wherever the original one does."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from ttsr_ls.esregex.tree.bottom_up import fold_tree, fold_tree_incrementally
from ttsr_ls.esregex.tree.canonicalize import close_over_case
from ttsr_ls.esregex.tree.incremental import Incremental
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    Backreference,
    Capture,
    CharForm,
    Chars,
    Group,
    Look,
    Node,
    Pattern,
    Repeat,
    Sequence,
    walk,
)
from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT
from ttsr_ls.text import Span

_NOWHERE = Span(0, 0)
_EMPTY = Sequence(_NOWHERE, ())
_ANYTHING = Repeat(_NOWHERE, Chars(_NOWHERE, EVERY_UNIT, CharForm.CLASS), 0, None, False, 1, 1)
_MAX_NODES = 2_000
"""So large, what is captured is written out once for each backreference."""


def without_backreferences_incrementally(pattern: Pattern) -> Incremental[Pattern]:
    """Returns, in portions, the pattern with each backreference replaced by the form of its capture. A lookaround with
    backreferences is left out.
    """
    bodies = {node.index: node.body for node in walk(pattern.root) if isinstance(node, Capture)}
    sizes: dict[int, int] = {}
    referring: set[int] = set()
    remaining = _MAX_NODES

    def note(node: Node, child_results: tuple[tuple[int, bool], ...]) -> tuple[int, bool]:
        size = sum([item for item, _ in child_results])
        refers = isinstance(node, Backreference) or any(item for _, item in child_results)
        if isinstance(node, Capture):
            sizes[node.index] = size
        elif isinstance(node, Look) and refers:
            referring.add(id(node))
        return size + 1, refers

    yield from fold_tree_incrementally(pattern.root, note)

    def combine(node: Node, children: tuple[Node, ...]) -> Node:
        nonlocal remaining
        match node:
            case Backreference():
                groups = [group for group in node.groups if group in bodies]
                remaining -= sum(sizes[group] for group in groups)
                if remaining < 0:
                    return _ANYTHING
                forms = tuple([_form(bodies[group], node.ignore_case) for group in groups])
                return Alternation(node.span, (*forms, _EMPTY))
            case Look():
                return _EMPTY if id(node) in referring else replace(node, body=children[0])
            case Capture() | Group():
                return children[0]
            case Repeat():
                return Repeat(node.span, children[0], node.minimum, node.maximum, node.lazy, 1, 1)
            case Sequence():
                return Sequence(node.span, children)
            case Alternation():
                return Alternation(node.span, children)
            case Chars() | Assertion():
                return node
            case _:
                assert_never(node)

    return Pattern(pattern.source, (yield from fold_tree_incrementally(pattern.root, combine)), 0, ())


def _form(body: Node, ignore_case: bool) -> Node:
    """Returns a node for all texts that a backreference to a capture with this body may match, whatever its
    position."""

    def combine(node: Node, children: tuple[Node, ...]) -> Node:
        match node:
            case Chars():
                return Chars(node.span, close_over_case(node.units), node.form) if ignore_case else node
            case Assertion() | Look():
                return _EMPTY
            case Backreference():
                return _ANYTHING
            case Capture() | Group():
                return children[0]
            case Repeat():
                return Repeat(node.span, children[0], node.minimum, node.maximum, node.lazy, 1, 1)
            case Sequence():
                return Sequence(node.span, children)
            case Alternation():
                return Alternation(node.span, children)
            case _:
                assert_never(node)

    return fold_tree(body, combine)
