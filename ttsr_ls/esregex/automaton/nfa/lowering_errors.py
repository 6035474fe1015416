"""The errors of lowering."""

from __future__ import annotations

from ttsr_ls.esregex.automaton.nfa.nfa_graph import NfaGroup


class NotExpressible(Exception):
    """The NFA group cannot express the pattern exactly."""


class UnsupportedHere(Exception):
    """The pattern belongs to the NFA group `nfa_group`."""

    def __init__(self, nfa_group: NfaGroup) -> None:
        super().__init__()
        self.nfa_group = nfa_group


class NfaTooLarge(NotExpressible):
    """The pattern would make too many items, or is nested too deep."""
