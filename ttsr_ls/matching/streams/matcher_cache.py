"""Shares matchers between the monitors of a session that have the same conditions.

An automaton takes far more memory than anything else here, and the agents of a session usually have the same rules.
"""

from __future__ import annotations

from weakref import WeakValueDictionary

from ttsr_ls.matching.streams.automaton_matcher import AutomatonMatcher
from ttsr_ls.matching.streams.search_limits import SearchLimits
from ttsr_ls.rules.condition import Condition


class MatcherCache:
    """Builds a matcher when its conditions are first requested. Not thread-safe."""

    __slots__ = ("_made",)

    def __init__(self) -> None:
        self._made: WeakValueDictionary[tuple[SearchLimits, tuple[int, ...]], AutomatonMatcher] = WeakValueDictionary()
        """Those that a monitor still has, by the identities of the conditions, which they keep alive."""

    def of(self, conditions: tuple[Condition, ...], limits: SearchLimits) -> AutomatonMatcher:
        """Returns the matcher of these conditions, with these limits."""
        key = (limits, tuple([id(condition) for condition in conditions]))
        matcher = self._made.get(key)
        if matcher is None:
            matcher = self._made[key] = AutomatonMatcher(conditions, limits)
        return matcher
