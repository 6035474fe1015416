"""Evaluates trees from the leaves to the root without recursion: patterns may be nested as deep as they are long."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ttsr_ls.esregex.tree.nodes import Chars, Node, children

Value = TypeVar("Value")
Context = TypeVar("Context")


def evaluate(root: Node, combine: Callable[[Node, tuple[Value, ...]], Value]) -> Value:
    """`combine(node, values of its children in order)` for every node, children first; the value of `root`."""
    # Parents before their children and these from the last to the first: backward, that is the order to go in.
    backward: list[tuple[Node, int]] = []
    pending = [root]
    while pending:
        node = pending.pop()
        # Most nodes of a tree are characters, which have nothing below them.
        if type(node) is Chars:
            backward.append((node, 0))
        else:
            below = children(node)
            backward.append((node, len(below)))
            pending.extend(below)
    values: list[Value] = []
    for node, count in reversed(backward):
        if count:
            value = combine(node, tuple(values[-count:]))
            del values[-count:]
            values.append(value)
        else:
            values.append(combine(node, ()))
    return values[0]


def evaluate_in_context(
    root: Node,
    context: Context,
    contexts_below: Callable[[Node, Context], tuple[Context, ...]],
    combine: Callable[[Node, Context, tuple[Value, ...]], Value],
) -> Value:
    """As `evaluate`, where each node has a context, too: `contexts_below` gives those of a node's children."""
    pending: list[tuple[Node, Context, bool]] = [(root, context, False)]
    values: list[Value] = []
    while pending:
        node, here, children_done = pending.pop()
        below = children(node)
        if not children_done and below:
            pending.append((node, here, True))
            inner = contexts_below(node, here)
            pending.extend((child, inside, False) for child, inside in reversed(list(zip(below, inner, strict=True))))
            continue
        first = len(values) - len(below)
        value = combine(node, here, tuple(values[first:]))
        del values[first:]
        values.append(value)
    return values[0]
