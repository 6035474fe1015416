"""The backreferences of a pattern."""

from __future__ import annotations

from itertools import islice
from typing import assert_never

from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.canonicalize import close_over_case
from ttsr_ls.esregex.tree.incremental import PORTION, Incremental, run_to_completion
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
    with_children,
)
from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT
from ttsr_ls.text import Span

_NODES_PER_STEP = 4
"""How many nodes are walked in the time of one step."""

_NOWHERE = Span(0, 0)
EMPTY_TEXT = Sequence(_NOWHERE, ())
ANY_TEXT = Repeat(_NOWHERE, Chars(_NOWHERE, EVERY_UNIT, CharForm.CLASS), 0, None, False, 1, 1)


def backreferences(pattern: Pattern) -> list[Backreference]:
    """Returns all backreferences of a pattern, in source order."""
    return run_to_completion(backreferences_incrementally(pattern))


def backreferences_incrementally(pattern: Pattern) -> Incremental[list[Backreference]]:
    """The same as `backreferences`, in portions."""
    found: list[Backreference] = []
    if pattern.capture_count:
        nodes = walk(pattern.root)
        while portion := list(islice(nodes, _NODES_PER_STEP * PORTION)):
            found += [node for node in portion if isinstance(node, Backreference)]
            yield len(portion) // _NODES_PER_STEP
    return found


def captured_texts(body: Node, ignore_case: bool) -> Node:
    """Returns a node that matches at least the texts that a backreference to a capture with this body may match.

    The reference may be at any position, so assertions and lookarounds of the body are dropped.
    """

    def combine(node: Node, children: tuple[Node, ...]) -> Node:
        match node:
            case Chars():
                return Chars(node.span, close_over_case(node.units), node.form) if ignore_case else node
            case Assertion() | Look():
                return EMPTY_TEXT
            case Backreference():
                return ANY_TEXT
            case Capture() | Group():
                return children[0]
            case Repeat():
                return Repeat(node.span, children[0], node.minimum, node.maximum, node.lazy, 1, 1)
            case Sequence() | Alternation():
                return with_children(node, children)
            case _:
                assert_never(node)

    return fold_tree(body, combine)
