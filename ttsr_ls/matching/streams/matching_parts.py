"""The parts that matchers of equal conditions may share."""

from __future__ import annotations

from ttsr_ls.esregex.automaton.automaton import AnyAutomaton
from ttsr_ls.matching.streams.condition_searches import ConditionSearches


class MatchingParts:
    """The automaton of some conditions, once it is built, and, if they are shared, the exact searches by the numbers of
    their conditions.

    `earlier_searches` are those of any session. If searches are not shared, they save later sessions the work of
    preparing them, but not its steps: so what a session finds does not depend on earlier ones.
    """

    __slots__ = ("__weakref__", "automaton", "earlier_searches", "is_prewarmed", "searches")

    def __init__(self, *, shares_searches: bool = False) -> None:
        self.automaton: AnyAutomaton | None = None
        self.is_prewarmed = False
        """True if states, and the searches if they are shared, were built in idle time."""
        self.searches: dict[int, ConditionSearches] | None = {} if shares_searches else None
        self.earlier_searches: dict[int, ConditionSearches] = {}

    @property
    def has_disabled(self) -> bool:
        """True if the automaton disabled a condition."""
        return self.automaton is not None and bool(self.automaton.disabled)
