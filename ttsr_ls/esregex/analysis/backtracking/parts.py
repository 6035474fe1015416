"""Parts of a pattern that people can be shown: whole items, never half a group."""

from __future__ import annotations

from ttsr_ls.esregex.tree.nodes import Alternation, Node, Sequence, children
from ttsr_ls.text import Span


def whole_part(root: Node, span: Span) -> Span:
    """The least run of whole items of the tree that holds `span`."""
    node = root
    while True:
        inner = next((child for child in children(node) if _holds(child.span, span)), None)
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


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
