"""The parts of a pattern that are matched as a whole: the pattern itself, and the body of each lookaround.

A lookaround is left as soon as its body matches or fails, so an analysis of paths treats each body separately.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.esregex.analysis.backtracking.witness import find_witnesses
from ttsr_ls.esregex.analysis.graph.boundary_relations import depends_on_adjacent_units
from ttsr_ls.esregex.analysis.graph.graph_lowering import Direction
from ttsr_ls.esregex.tree.nodes import Look, Node, Sequence, children, walk

_MAX_REGIONS = 12


class MatchedRegion(Struct, frozen=True):
    """A tree that is matched as a whole. `before` is a text after which it is tried when the match begins with that
    text.
    """

    root: Node
    direction: Direction
    before: str


def matched_regions(root: Node) -> Iterator[MatchedRegion]:
    """Yields the regions of a tree, the tree itself first, at most 13. Lookarounds that depend only on adjacent units
    are left out.
    """
    yield MatchedRegion(root, Direction.FORWARD, "")
    if not any(isinstance(node, Look) for node in walk(root)):
        return
    texts = find_witnesses(root)
    region = 0
    pending = [(root, "")]
    while pending and region < _MAX_REGIONS:
        node, before = pending.pop()
        if isinstance(node, Look):
            if depends_on_adjacent_units(node):
                continue
            direction = Direction.BACKWARD if node.kind.is_behind else Direction.FORWARD
            yield MatchedRegion(node.body, direction, before)
            region += 1
        child_results = []
        for child in children(node):
            child_results.append((child, before))
            if isinstance(node, Sequence):
                before = before + (texts[id(child)] or "")
        pending.extend(reversed(child_results))
