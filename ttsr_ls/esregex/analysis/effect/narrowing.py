"""Narrows a pattern to the alternatives that lead to one of its nodes: what it matches by way of that node alone."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.esregex.tree.bottom_up import evaluate
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    AssertionKind,
    Capture,
    Group,
    Look,
    Node,
    Repeat,
    Sequence,
    children,
)

STARTS = (AssertionKind.INPUT_START, AssertionKind.LINE_START)
ENDS = (AssertionKind.INPUT_END, AssertionKind.LINE_END)


class Choice(Struct, frozen=True):
    """A node in some alternatives: `branches` has, for each alternation above it by identity, the branch it is in."""

    node: Assertion
    branches: dict[int, int]
    is_whole_branch: bool
    """The node is all that its alternative consists of."""


def anchors_in_alternatives(
    root: Node, kinds: tuple[AssertionKind, ...], *, with_others: bool = False
) -> Iterator[Choice]:
    """The anchors of some kinds that stand in an alternative, but for those in looks; `with_others` all of them."""
    pending: list[tuple[Node, dict[int, int], bool]] = [(root, {}, False)]
    while pending:
        node, branches, is_whole = pending.pop()
        match node:
            case Look():
                continue
            case Assertion() if node.kind in kinds and (branches or with_others):
                yield Choice(node, branches, is_whole)
            case Alternation():
                for index, branch in enumerate(node.branches):
                    pending.append((branch, {**branches, id(node): index}, True))
            case _:
                pending.extend((child, branches, False) for child in children(node))


def narrowed(root: Node, choice: Choice) -> Node:
    """The tree without the alternatives beside the chosen ones."""

    def combine(node: Node, below: tuple[Node, ...]) -> Node:
        match node:
            case Alternation():
                index = choice.branches.get(id(node))
                return replace(node, branches=below) if index is None else below[index]
            case Sequence():
                return replace(node, items=below)
            case Look() | Capture() | Group() | Repeat():
                return replace(node, body=below[0])
            case _:
                return node

    return evaluate(root, combine)
