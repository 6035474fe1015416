"""The backreferences of a pattern."""

from __future__ import annotations

from itertools import islice

from ttsr_ls.esregex.tree.incremental import PORTION, Incremental, run_to_completion
from ttsr_ls.esregex.tree.nodes import Backreference, Pattern, walk

_NODES_PER_STEP = 4
"""How many nodes are walked in the time of one step."""


def backreferences(pattern: Pattern) -> list[Backreference]:
    """Returns all backreferences of a pattern, in source order."""
    return run_to_completion(backreferences_incrementally(pattern))


def backreferences_incrementally(pattern: Pattern) -> Incremental[list[Backreference]]:
    """The same as `backreferences`, in portions."""
    found: list[Backreference] = []
    if pattern.capture_count:
        nodes = walk(pattern.root)
        while portion := list(islice(nodes, _NODES_PER_STEP * PORTION)):
            found += [node for node in portion if isinstance(node, Backreference)]
            yield len(portion) // _NODES_PER_STEP
    return found
