"""Shares matchers, and indexes of rules, between the monitors of a session that have the same ones, and automata
between sessions.

An automaton takes far more memory and time than anything else here, and the agents of a session, and the sessions of a
project, usually have the same rules.
"""

from __future__ import annotations

from collections import deque
from weakref import WeakValueDictionary

from ttsr_ls.matching.rule_index import RuleIndex
from ttsr_ls.matching.streams.automaton_matcher import AutomatonMatcher
from ttsr_ls.matching.streams.matching_parts import MatchingParts
from ttsr_ls.matching.streams.search_limits import SearchLimits
from ttsr_ls.put_bounded import put_bounded
from ttsr_ls.rules.condition import Condition
from ttsr_ls.rules.rule import Rule

_Key = tuple[SearchLimits, tuple[Condition, ...]]
"""The limits, and the conditions, which are equal if their sources are."""

_MAX_KEPT = 4
"""The most unused automata that are kept, and the most indexes of rules."""


class SharedMatching:
    """The automata and indexes of sessions with equal conditions. Not thread-safe.

    With `shares_searches`, an exact search that one session prepared is also prepared in the others, so an answer may
    come some deltas earlier there.
    """

    __slots__ = ("_indexes", "_parts", "_recent", "shares_searches")

    def __init__(self, *, shares_searches: bool, kept: int = _MAX_KEPT) -> None:
        """Keeps the last `kept` automata also while no session uses them."""
        self.shares_searches = shares_searches
        self._parts: WeakValueDictionary[_Key, MatchingParts] = WeakValueDictionary()
        """The parts in use, and the recent ones."""
        self._recent: deque[MatchingParts] = deque(maxlen=kept)
        self._indexes: dict[int, tuple[tuple[Rule, ...], RuleIndex]] = {}
        """The indexes by the identity of the tuple of rules, which the value keeps alive."""

    def index_of(self, rules: tuple[Rule, ...]) -> RuleIndex:
        """Returns the index of these rules."""
        found = self._indexes.get(id(rules))
        if found is None:
            found = (rules, RuleIndex.build(rules))
            put_bounded(self._indexes, id(rules), found, _MAX_KEPT)
        return found[1]

    def parts_of(self, key: _Key) -> MatchingParts:
        """Returns the parts for these limits and conditions: new ones if the automaton disabled a condition, so that a
        new session starts with all conditions."""
        parts = self._parts.get(key)
        if parts is None or parts.has_disabled:
            parts = self._parts[key] = MatchingParts(shares_searches=self.shares_searches)
            self._recent.append(parts)
        return parts

    def drop_unused(self) -> None:
        """Frees the automata that no session uses: the rules changed."""
        self._recent.clear()


class MatcherCache:
    """Builds a matcher for the monitors of a session when its conditions are first requested. Not thread-safe.

    `shared` has the automata and indexes that the session shares with others.
    """

    __slots__ = ("_matchers", "_shared", "reuses_automata")

    def __init__(self, shared: SharedMatching | None = None) -> None:
        self._shared = SharedMatching(shares_searches=True, kept=0) if shared is None else shared
        self._matchers: WeakValueDictionary[_Key, AutomatonMatcher] = WeakValueDictionary()
        """The matchers in use by monitors."""
        self.reuses_automata = False
        """True if an automaton of another session is used, which may have disabled conditions of it."""

    def index_of(self, rules: tuple[Rule, ...]) -> RuleIndex:
        """Returns the index of these rules."""
        return self._shared.index_of(rules)

    def of(self, conditions: tuple[Condition, ...], limits: SearchLimits) -> AutomatonMatcher:
        """Returns the matcher of these conditions, with these limits."""
        key = (limits, conditions)
        matcher = self._matchers.get(key)
        if matcher is None:
            parts = self._shared.parts_of(key)
            self.reuses_automata |= parts.automaton is not None
            matcher = self._matchers[key] = AutomatonMatcher(conditions, limits, parts)
        return matcher

    @property
    def has_disabled(self) -> bool:
        """True if an automaton disabled a condition."""
        return any(matcher.automaton is not None and matcher.automaton.disabled for matcher in self._matchers.values())
