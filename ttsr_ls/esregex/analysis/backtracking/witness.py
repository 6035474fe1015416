"""A short text that a node probably matches. Assertions, lookarounds and backreferences count as the empty text."""

from __future__ import annotations

from typing import assert_never

from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    Backreference,
    Capture,
    Chars,
    Group,
    Look,
    Node,
    Repeat,
    Sequence,
)
from ttsr_ls.esregex.tree.unit_set import UnitSet

_MAX_LENGTH = 400
_READABLE = [ord(char) for char in "ax0 _-.,;:(){}[]\"'=/\\<>"]


def find_witness(node: Node) -> str | None:
    """Returns a shortest text, in units, that the node probably matches; None if it matches nothing, or nothing
    short.
    """
    return fold_tree(node, _witness)


def find_witnesses(root: Node) -> dict[int, str | None]:
    """Returns the witness of every node of a tree, keyed by the identity of the node."""
    found: dict[int, str | None] = {}

    def combine(node: Node, child_results: tuple[str | None, ...]) -> str | None:
        text = found[id(node)] = _witness(node, child_results)
        return text

    fold_tree(root, combine)
    return found


def _witness(node: Node, child_results: tuple[str | None, ...]) -> str | None:
    match node:
        case Chars():
            return readable_unit(node.units)
        case Assertion() | Look() | Backreference():
            return ""
        case Capture() | Group():
            return child_results[0]
        case Repeat():
            if node.minimum == 0:
                return ""
            text = child_results[0]
            return None if text is None or len(text) * node.minimum > _MAX_LENGTH else text * node.minimum
        case Sequence():
            parts = [text for text in child_results if text is not None]
            full_text = "".join(parts)
            return full_text if len(parts) == len(child_results) and len(full_text) <= _MAX_LENGTH else None
        case Alternation():
            return min((text for text in child_results if text is not None), key=len, default=None)
        case _:
            assert_never(node)


def readable_unit(units: UnitSet) -> str | None:
    """Returns a unit of a set, a readable one if possible; None for the empty set."""
    if not units.ranges:
        return None
    if (single_unit := units.single_unit) is not None:
        return chr(single_unit)
    return chr(next((unit for unit in _READABLE if unit in units), units.ranges[0][0]))
