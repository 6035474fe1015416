"""How a node is read while it is lowered, and why one cannot be."""

from __future__ import annotations

from enum import Enum

from ttsr_ls.esregex.automaton.nfa.nfa_graph import NfaGroup


class Polarity(Enum):
    """Whether a node is lowered to what must or to what may match."""

    MUST = "true whatever follows"
    MAY = "true for something that may follow"

    @property
    def opposite(self) -> Polarity:
        """How the body of a negated look is read."""
        return Polarity.MAY if self is Polarity.MUST else Polarity.MUST


class NotExpressible(Exception):
    """The pattern has something that its NFA group cannot express exactly."""


class UnsupportedHere(Exception):
    """The pattern belongs to an NFA group of another kind."""

    def __init__(self, place: NfaGroup) -> None:
        super().__init__()
        self.place = place


class NfaTooLarge(NotExpressible):
    """The pattern would make too many items, or is nested too deep."""
