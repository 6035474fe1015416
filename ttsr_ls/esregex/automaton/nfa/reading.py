"""How a node is read while it is lowered, and why one cannot be."""

from __future__ import annotations

from enum import Enum

from ttsr_ls.esregex.automaton.nfa.leaf_graph import Place


class Reading(Enum):
    """As in `finality`."""

    MUST = "true whatever follows"
    MAY = "true for something that may follow"

    @property
    def opposite(self) -> Reading:
        """How the body of a negated look is read."""
        return Reading.MAY if self is Reading.MUST else Reading.MUST


class NotExpressible(Exception):
    """The pattern has something that its leaf cannot express exactly."""


class Misplaced(Exception):
    """The pattern belongs to a leaf of another kind."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.place = place


class TooLarge(NotExpressible):
    """The pattern would make too many items, or is nested too deep."""
