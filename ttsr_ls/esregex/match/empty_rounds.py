"""Rewrites loops so that no round can be empty, without changing which texts match or which match is found first.

In ECMA-262, an optional round of a loop that consumed nothing fails (RepeatMatcher, step 2.b); other engines accept it
and leave the loop. If the body cannot be empty, both behave the same.
"""

from __future__ import annotations

from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.esregex.tree.bottom_up import fold_tree
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
    Repeat,
    Sequence,
    with_children,
)
from ttsr_ls.esregex.tree.unit_set import NO_UNIT
from ttsr_ls.esregex.tree.widths import greatest_width, least_width

_MAX_SIZE = 20_000
"""How many nodes a rewritten tree may have: the body of a loop may be copied, and loops are nested."""


class NotRewritableError(Exception):
    """No equivalent tree without empty rounds is known."""


class _Form(Struct, frozen=True):
    """A rewritten node, and its form without empty matches."""

    node: Node
    consuming: Node | None
    """A node with the same matches in the same order, except the empty ones; None if none is known."""
    least: int
    greatest: int
    captures: bool
    size: int


def without_empty_rounds(root: Node) -> Node:
    """Returns `root` with every loop rewritten. Raises `NotRewritableError`."""
    return fold_tree(root, _rewrite).node


def _rewrite(node: Node, child_results: tuple[_Form, ...]) -> _Form:
    minimum = least_width(node, tuple(form.least for form in child_results))
    maximum = greatest_width(node, tuple(form.greatest for form in child_results))
    captures = isinstance(node, Capture) or any(form.captures for form in child_results)
    size = 1 + sum(form.size for form in child_results)
    rewritten = with_children(node, tuple(form.node for form in child_results))
    if isinstance(node, Repeat) and child_results[0].least == 0 and node.maximum != 0:
        rewritten, size = _loop(node, child_results[0], size)
    if size > _MAX_SIZE:
        raise NotRewritableError
    if minimum > 0:
        consuming: Node | None = rewritten
    elif maximum == 0:
        consuming = _never(node)
    else:
        consuming = _consuming(node, child_results)
    return _Form(rewritten, consuming, minimum, maximum, captures, size)


def _loop(node: Repeat, body: _Form, size: int) -> tuple[Node, int]:
    """Rewrites a loop whose body may be empty: required rounds, then optional rounds that must consume."""
    if body.consuming is None:
        raise NotRewritableError
    rest = None if node.maximum is None else node.maximum - node.minimum
    further = replace(node, body=body.consuming, minimum=0, maximum=rest)
    if node.minimum == 0:
        return further, size
    if body.captures:
        raise NotRewritableError
    required = body.node if node.minimum == 1 else replace(node, body=body.node, maximum=node.minimum)
    return Sequence(node.span, (required, further)), 2 * size


def _consuming(node: Node, child_results: tuple[_Form, ...]) -> Node | None:
    """Returns `_Form.consuming` of a node that has empty and other matches."""
    match node:
        case Capture() | Group():
            return None if child_results[0].consuming is None else replace(node, body=child_results[0].consuming)
        case Alternation():
            branches = [form.consuming for form in child_results if form.greatest > 0]
            known = tuple(branch for branch in branches if branch is not None)
            if len(known) < len(branches):
                return None
            return known[0] if len(known) == 1 else replace(node, branches=known)
        case Repeat():
            if node.minimum > 0 or child_results[0].consuming is None:
                return None
            return replace(node, body=child_results[0].consuming, minimum=1)
        case Sequence():
            wide = [index for index, form in enumerate(child_results) if form.greatest > 0]
            if len(wide) > 1:
                return None
            body = child_results[wide[0]].consuming
            items = [form.node for form in child_results]
            if body is None:
                return None
            items[wide[0]] = body
            return replace(node, items=tuple(items))
        case Chars() | Assertion() | Look() | Backreference():
            return None
        case _:
            assert_never(node)


def _never(node: Node) -> Node:
    return Chars(node.span, NO_UNIT, CharForm.CLASS)
