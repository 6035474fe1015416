"""Extends a span of a pattern to whole items, because half a group cannot be shown to users."""

from __future__ import annotations

from ttsr_ls.esregex.tree.nodes import Alternation, Node, Sequence, children
from ttsr_ls.text import Span


def enclosing_items(root: Node, span: Span) -> Span:
    """Returns the smallest run of whole items of the tree that contains `span`."""
    node = root
    while True:
        inner = next((child for child in children(node) if child.span.covers(span)), None)
        if inner is None:
            break
        node = inner
    if isinstance(node, Sequence | Alternation):
        touched = [
            child.span for child in children(node) if child.span.start < span.end and span.start < child.span.end
        ]
        if touched:
            return Span(touched[0].start, touched[-1].end)
    return node.span
