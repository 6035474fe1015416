"""Finds patterns that are plain text without a regular-expression engine, so that the `regex` package need not be
imported.
"""

from __future__ import annotations

from ttsr_ls.esregex.program.budget import StepBudget
from ttsr_ls.esregex.tree.nodes import Chars, Node, Sequence
from ttsr_ls.text import Span


class LiteralMatcher:
    """Finds a text. It has no limit, because it takes linear time."""

    __slots__ = ("_units",)

    def __init__(self, units: str) -> None:
        self._units = units

    def search(self, units: str, start: int = 0) -> Span | None:
        position = units.find(self._units, start)
        return None if position < 0 else Span(position, position + len(self._units))

    def test(self, units: str) -> bool:
        return self._units in units

    def with_budget(self, budget: StepBudget) -> LiteralMatcher:
        return self


def literal_units(root: Node) -> str | None:
    """Returns the only text that a simplified tree matches; None if the tree is not a sequence of single units."""
    items = root.items if isinstance(root, Sequence) else (root,)
    units = []
    for item in items:
        only = item.units.single_unit if isinstance(item, Chars) else None
        if only is None:
            return None
        units.append(chr(only))
    return "".join(units)
