"""Narrows a pattern to the alternatives that lead to one of its nodes."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    AssertionKind,
    Look,
    Node,
    children,
    with_children,
)

START_ANCHORS = (AssertionKind.INPUT_START, AssertionKind.LINE_START)
END_ANCHORS = (AssertionKind.INPUT_END, AssertionKind.LINE_END)


class AlternativePath(Struct, frozen=True):
    """The path to an anchor: `branches` maps the identity of each enclosing alternation to the index of the branch that
    contains it.
    """

    node: Assertion
    branches: dict[int, int]
    is_whole_branch: bool
    """True if the alternative consists of the node only."""


def anchors_in_alternatives(
    root: Node, kinds: tuple[AssertionKind, ...], *, with_others: bool = False
) -> Iterator[AlternativePath]:
    """Yields the anchors of the given kinds that are in an alternative and outside of lookarounds. `with_others` yields
    all such anchors.
    """
    pending: list[tuple[Node, dict[int, int], bool]] = [(root, {}, False)]
    while pending:
        node, branches, is_whole = pending.pop()
        match node:
            case Look():
                continue
            case Assertion() if node.kind in kinds and (branches or with_others):
                yield AlternativePath(node, branches, is_whole)
            case Alternation():
                for index, branch in enumerate(node.branches):
                    pending.append((branch, {**branches, id(node): index}, True))
            case _:
                pending.extend((child, branches, False) for child in children(node))


def keep_path_to_anchor(root: Node, choice: AlternativePath) -> Node:
    """Returns the tree without the branches that do not lead to the chosen anchor."""

    def combine(node: Node, child_nodes: tuple[Node, ...]) -> Node:
        index = choice.branches.get(id(node))
        return with_children(node, child_nodes) if index is None else child_nodes[index]

    return fold_tree(root, combine)
