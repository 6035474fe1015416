"""The polarity under which a node is lowered, and the errors of lowering."""

from __future__ import annotations

from enum import Enum

from ttsr_ls.esregex.automaton.nfa.nfa_graph import NfaGroup


class Polarity(Enum):
    """The reading in which a node is lowered: to what must match, or to what may match."""

    MUST = "true whatever follows"
    MAY = "true for something that may follow"

    @property
    def opposite(self) -> Polarity:
        """The polarity of the body of a negated lookaround."""
        return Polarity.MAY if self is Polarity.MUST else Polarity.MUST


class NotExpressible(Exception):
    """The NFA group cannot express the pattern exactly."""


class UnsupportedHere(Exception):
    """The pattern belongs to the NFA group `nfa_group`."""

    def __init__(self, nfa_group: NfaGroup) -> None:
        super().__init__()
        self.nfa_group = nfa_group


class NfaTooLarge(NotExpressible):
    """The pattern would make too many items, or is nested too deep."""
