"""Shares matchers, and indexes of rules, between the monitors of a session that have the same ones.

An automaton takes far more memory than anything else here, and the agents of a session usually have the same rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakValueDictionary

from ttsr_ls.esregex.automaton.automaton import AnyAutomaton
from ttsr_ls.matching.rule_index import RuleIndex
from ttsr_ls.matching.streams.automaton_matcher import AutomatonMatcher
from ttsr_ls.matching.streams.search_limits import SearchLimits
from ttsr_ls.rules.condition import Condition
from ttsr_ls.rules.rule import Rule

_Key = tuple[SearchLimits, tuple[int, ...]]
"""The limits, and the identities of the conditions, which the value keeps alive."""

_MAX_KEPT = 4
"""How many automata are handed on to the next session, and how many indexes of rules are kept."""


class MatcherCache:
    """Builds a matcher when its conditions are first requested. Not thread-safe."""

    __slots__ = ("_automata", "_indexes", "_made")

    def __init__(self) -> None:
        self._made: WeakValueDictionary[_Key, AutomatonMatcher] = WeakValueDictionary()
        """Those that a monitor still has."""
        self._automata: Mapping[_Key, tuple[tuple[Condition, ...], AnyAutomaton]] = {}
        """Those of an earlier session."""
        self._indexes: dict[int, tuple[tuple[Rule, ...], RuleIndex]] = {}
        """By the identities of the rules, which the value keeps alive."""

    def index_of(self, rules: tuple[Rule, ...]) -> RuleIndex:
        """Returns the index of these rules."""
        found = self._indexes.get(id(rules))
        if found is None:
            if len(self._indexes) >= _MAX_KEPT:
                del self._indexes[next(iter(self._indexes))]
            found = self._indexes[id(rules)] = (rules, RuleIndex.of(rules))
        return found[1]

    def of(self, conditions: tuple[Condition, ...], limits: SearchLimits) -> AutomatonMatcher:
        """Returns the matcher of these conditions, with these limits."""
        key = (limits, tuple([id(condition) for condition in conditions]))
        matcher = self._made.get(key)
        if matcher is None:
            _, built = self._automata.get(key, (conditions, None))
            matcher = self._made[key] = AutomatonMatcher(conditions, limits, built)
        return matcher

    @property
    def has_disabled(self) -> bool:
        """True if a condition cost too much to be matched any longer."""
        return any(matcher.automaton is not None and matcher.automaton.disabled for matcher in self._made.values())

    @property
    def is_handed_on(self) -> bool:
        """True if automata of an earlier session are used, to which that session may have done something."""
        return bool(self._automata)

    def for_next_session(self) -> MatcherCache:
        """A cache for a session with the same rules that comes after this one: with the automata, where nothing is
        disabled, and with nothing else that this session left."""
        built = {
            key: (matcher.conditions, matcher.automaton)
            for key, matcher in self._made.items()
            if matcher.automaton is not None and not matcher.automaton.disabled
        }
        cache = MatcherCache()
        cache._automata = dict(list(built.items())[-_MAX_KEPT:])
        cache._indexes = self._indexes
        return cache
