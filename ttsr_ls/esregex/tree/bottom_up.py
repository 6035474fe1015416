"""Evaluates trees bottom-up without recursion, because patterns may be nested as deep as they are long."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import TypeVar

from ttsr_ls.checkpoint import checkpoint
from ttsr_ls.esregex.tree.incremental import PORTION, STEPS_BETWEEN_CHECKPOINTS, Incremental
from ttsr_ls.esregex.tree.nodes import Chars, Node, children

Value = TypeVar("Value")
Context = TypeVar("Context")

_NODES_PER_STEP = 4
"""How many nodes are visited in the time of one step."""


def fold_tree(root: Node, combine: Callable[[Node, tuple[Value, ...]], Value]) -> Value:
    """Calls `combine(node, values of its children in order)` for every node, children first. Returns the value of
    `root`.
    """
    reversed_postorder: list[tuple[Node, int]] = []
    pending = [root]
    while pending:
        _visit(pending, reversed_postorder, STEPS_BETWEEN_CHECKPOINTS)
        checkpoint()
    nodes = reversed(reversed_postorder)
    values: list[Value] = []
    while portion := list(islice(nodes, STEPS_BETWEEN_CHECKPOINTS)):
        _combine(portion, combine, values)
        checkpoint()
    return values[0]


def fold_tree_incrementally(root: Node, combine: Callable[[Node, tuple[Value, ...]], Value]) -> Incremental[Value]:
    """The same as `fold_tree`, in portions of nodes."""
    reversed_postorder: list[tuple[Node, int]] = []
    pending = [root]
    while pending:
        before = len(reversed_postorder)
        _visit(pending, reversed_postorder, _NODES_PER_STEP * PORTION)
        yield (len(reversed_postorder) - before) // _NODES_PER_STEP
    nodes = reversed(reversed_postorder)
    values: list[Value] = []
    while portion := list(islice(nodes, PORTION)):
        _combine(portion, combine, values)
        # A node takes time in proportion to its children, of which most nodes have none.
        yield max(len(portion), sum([count for _, count in portion]))
    return values[0]


def _visit(pending: list[Node], reversed_postorder: list[tuple[Node, int]], limit: int) -> None:
    """Moves up to `limit` nodes from the stack `pending` to `reversed_postorder`, each with its number of children."""
    for _ in range(limit):
        if not pending:
            break
        node = pending.pop()
        # A shortcut: most nodes are characters, which have no children.
        if type(node) is Chars:
            reversed_postorder.append((node, 0))
        else:
            child_nodes = children(node)
            reversed_postorder.append((node, len(child_nodes)))
            pending.extend(child_nodes)


def _combine(
    nodes: Iterable[tuple[Node, int]], combine: Callable[[Node, tuple[Value, ...]], Value], values: list[Value]
) -> None:
    """Replaces the values of the nodes' children on the stack `values` by the values of the nodes."""
    for node, count in nodes:
        if count:
            value = combine(node, tuple(values[-count:]))
            del values[-count:]
            values.append(value)
        else:
            values.append(combine(node, ()))


def fold_tree_in_context(
    root: Node,
    context: Context,
    contexts_below: Callable[[Node, Context], tuple[Context, ...]],
    combine: Callable[[Node, Context, tuple[Value, ...]], Value],
) -> Incremental[Value]:
    """The same as `fold_tree`, in portions, where each node has a context. `contexts_below` returns the contexts of a
    node's children.
    """
    remaining = 2 * PORTION
    pending: list[tuple[Node, Context, bool]] = [(root, context, False)]
    values: list[Value] = []
    while pending:
        node, here_context, children_done = pending.pop()
        child_nodes = children(node)
        if not children_done and child_nodes:
            pending.append((node, here_context, True))
            inner = contexts_below(node, here_context)
            pending.extend(
                (child, context, False) for child, context in reversed(list(zip(child_nodes, inner, strict=True)))
            )
            continue
        first = len(values) - len(child_nodes)
        value = combine(node, here_context, tuple(values[first:]))
        del values[first:]
        values.append(value)
        remaining -= 1 + len(child_nodes)
        if remaining <= 0:
            yield 2 * PORTION - remaining
            remaining = 2 * PORTION
    yield 2 * PORTION - remaining
    return values[0]
