"""Finds the parts of a pattern that take part in no match: contradictory parts, and parts that these make
unreachable.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.esregex.analysis.graph.language import graph_of_pattern
from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    AssertionKind,
    Capture,
    Chars,
    Group,
    Look,
    Node,
    Pattern,
    Repeat,
    Sequence,
    children,
    walk,
)
from ttsr_ls.esregex.tree.widths import least_width
from ttsr_ls.text import Span


class UnmatchableParts(Struct, frozen=True):
    """The parts that can never match: the whole pattern, or the parts at `spans`, each as large as possible.

    `culprit` is the assertion or the empty class that can never hold; None if no single node causes it.
    """

    whole: bool
    spans: tuple[Span, ...]
    culprit: Node | None


def unmatchable_parts(pattern: Pattern) -> UnmatchableParts | None:
    """Returns the dead parts of a pattern; None if there are none, or if the pattern is too large to decide."""
    if not _may_be_dead(pattern.root):
        return None
    graph = graph_of_pattern(pattern)
    if graph is None:
        return None
    useful = graph.useful()
    if not useful and graph.empty:
        return None
    if not useful:
        return UnmatchableParts(True, (pattern.root.span,), _culprit(pattern.root))
    alive = {graph.spans[graph.positions[state]] for state in range(len(graph.masks)) if useful >> state & 1}
    spans = tuple(_dead(pattern.root, alive))
    return UnmatchableParts(False, spans, None) if spans else None


def _dead(root: Node, alive: set[Span]) -> Iterator[Span]:
    """Yields the largest alternatives and optional repeats without any span in `alive`, which are part of no match."""
    pending: list[Node] = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, Look):
            continue
        for child in reversed(children(node)):
            optional = isinstance(node, Alternation) or (isinstance(child, Repeat) and child.minimum == 0)
            if not optional or (isinstance(child, Repeat) and child.maximum == 0):
                pending.append(child)
                continue
            units = [inner.span for inner in _consuming(child)]
            may_be_empty = isinstance(node, Alternation) and fold_tree(child, least_width) == 0
            if units and not may_be_empty and not any(span in alive for span in units):
                yield child.span
            else:
                pending.append(child)


def _consuming(root: Node) -> Iterator[Chars]:
    """Yields the nodes that consume a unit, except those in lookarounds."""
    pending = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, Chars):
            yield node
        elif not isinstance(node, Look):
            pending.extend(children(node))


def _culprit(root: Node) -> Node | None:
    candidates = [
        node
        for node in walk(root)
        if (isinstance(node, Chars) and not node.units) or (isinstance(node, Assertion) and not _is_edge(root, node))
    ]
    return candidates[0] if len(candidates) == 1 else None


def _is_edge(root: Node, assertion: Assertion) -> bool:
    at_start = assertion.kind in (AssertionKind.INPUT_START, AssertionKind.LINE_START)
    return assertion.span.start == root.span.start if at_start else assertion.span.end == root.span.end


def _may_be_dead(root: Node) -> bool:
    """Returns whether there is an empty class, or an assertion that other parts of the pattern may contradict.

    Most patterns have neither: only boundaries and anchors at their edges.
    """
    pending = [(root, True, True)]
    while pending:
        node, first, last = pending.pop()
        match node:
            case Chars():
                if not node.units:
                    return True
            case Assertion(kind=AssertionKind.INPUT_START | AssertionKind.LINE_START):
                if not first:
                    return True
            case Assertion(kind=AssertionKind.INPUT_END | AssertionKind.LINE_END):
                if not last:
                    return True
            case Assertion():
                if not first and not last:
                    return True
            case Sequence():
                end = len(node.items) - 1
                pending.extend(
                    (item, first and index == 0, last and index == end) for index, item in enumerate(node.items)
                )
            case Repeat():
                once = node.maximum == 1
                pending.append((node.body, first and once, last and once))
            case Capture() | Group():
                pending.append((node.body, first, last))
            case Alternation():
                pending.extend((branch, first, last) for branch in node.branches)
            case _:
                pass
    return False
