"""Finds backreferences whose group has certainly captured something when they are matched.

Such a reference matches what its group matched. Any other reference may also match the empty string.
"""

from __future__ import annotations

from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Backreference,
    Capture,
    Group,
    Look,
    Node,
    Repeat,
    Sequence,
    walk,
)

_MAX_DEPTH = 50

_NONE: frozenset[int] = frozenset()


def certain_references(root: Node) -> frozenset[int]:
    """Returns the identities of the backreferences that one of their groups precedes on every path."""
    found: set[int] = set()
    _visit(root, _NONE, found, 0)
    return frozenset(found)


def _visit(node: Node, captured: frozenset[int], found: set[int], depth: int) -> frozenset[int]:
    """Returns the groups that have certainly captured something after `node`, given those before it."""
    if depth > _MAX_DEPTH:
        return _NONE
    match node:
        case Sequence():
            for item in node.items:
                captured = _visit(item, captured, found, depth + 1)
            return captured
        case Capture():
            return _visit(node.body, captured, found, depth + 1) | {node.index}
        case Group():
            return _visit(node.body, captured, found, depth + 1)
        case Alternation():
            after = [_visit(branch, captured, found, depth + 1) for branch in node.branches]
            return frozenset.intersection(*after)
        case Repeat():
            # Each round resets the groups inside.
            own = frozenset([inner.index for inner in walk(node.body) if isinstance(inner, Capture)])
            inside = _visit(node.body, captured - own, found, depth + 1)
            return inside if node.minimum else captured - own
        case Look():
            if not node.kind.is_behind:
                _visit(node.body, captured, found, depth + 1)
            # Captures in a lookaround are ignored, and lookbehinds are matched backwards.
            return captured
        case Backreference():
            if captured.issuperset(node.groups):
                found.add(id(node))
            return captured
        case _:
            return captured
