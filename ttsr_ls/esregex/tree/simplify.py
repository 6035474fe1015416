"""Makes a tree smaller without changing what it matches, before it is compiled.

Removes groups without an effect, and captures that no backreference refers to. The result is nested only as deep as
necessary: 20,000 brackets around a letter become the letter. The tree keeps spans, but it is meant for matchers, not
for users.
"""

from __future__ import annotations

from ttsr_ls.esregex.tree.backreferences import backreferences_incrementally
from ttsr_ls.esregex.tree.bottom_up import fold_tree_incrementally
from ttsr_ls.esregex.tree.incremental import Incremental, run_to_completion
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Capture,
    Chars,
    Group,
    Look,
    Node,
    Pattern,
    Repeat,
    Sequence,
    with_children,
)


def simplify(pattern: Pattern) -> Pattern:
    """Returns a pattern with the same matches. Captures that backreferences refer to keep their indexes."""
    return run_to_completion(simplify_incrementally(pattern))


def simplify_incrementally(pattern: Pattern) -> Incremental[Pattern]:
    """The same as `simplify`, in portions."""
    references = yield from backreferences_incrementally(pattern)
    referenced = {index for reference in references for index in reference.groups}

    def combine(node: Node, children: tuple[Node, ...]) -> Node:
        match node:
            # The most frequent kind first.
            case Chars():
                return node
            case Group():
                return children[0]
            case Capture():
                return with_children(node, children) if node.index in referenced else children[0]
            case Look():
                return with_children(node, children)
            case Repeat():
                return _repeat(node, children[0])
            case Sequence():
                return _sequence(node, children)
            case Alternation():
                return _alternation(node, children)
            case _:
                return node

    root = yield from fold_tree_incrementally(pattern.root, combine)
    return Pattern(pattern.source, root, pattern.capture_count, pattern.capture_names)


def _repeat(node: Repeat, body: Node) -> Node:
    if node.maximum == 0:
        return Sequence(node.span, ())
    if node.minimum == 1 == node.maximum:
        return body
    if isinstance(body, Sequence) and not body.items:
        return body
    return Repeat(node.span, body, node.minimum, node.maximum, node.lazy, node.first_capture, node.end_capture)


def _sequence(node: Sequence, children: tuple[Node, ...]) -> Node:
    items: list[Node] = []
    for item in children:
        if isinstance(item, Sequence):
            items.extend(item.items)
        else:
            items.append(item)
    return items[0] if len(items) == 1 else Sequence(node.span, tuple(items))


def _alternation(node: Alternation, children: tuple[Node, ...]) -> Node:
    branches: list[Node] = []
    for branch in children:
        if isinstance(branch, Alternation):
            branches.extend(branch.branches)
        else:
            branches.append(branch)
    return Alternation(node.span, tuple(branches))
