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
"""How many automata are kept that no session uses, and how many indexes of rules."""


class SharedMatching:
    """The automata and indexes of sessions with equal conditions. Not thread-safe.

    With `shares_searches`, exact searches that one session made ready are ready in the others, too, so an answer may
    come some deltas earlier there.
    """

    __slots__ = ("_indexes", "_parts", "_recent", "shares_searches")

    def __init__(self, *, shares_searches: bool, kept: int = _MAX_KEPT) -> None:
        """Keeps the last `kept` automata also while no session uses them."""
        self.shares_searches = shares_searches
        self._parts: WeakValueDictionary[_Key, MatchingParts] = WeakValueDictionary()
        """Those that a session still has, and the recent ones."""
        self._recent: deque[MatchingParts] = deque(maxlen=kept)
        self._indexes: dict[int, tuple[tuple[Rule, ...], RuleIndex]] = {}
        """By the identities of the rules, which the value keeps alive."""

    def index_of(self, rules: tuple[Rule, ...]) -> RuleIndex:
        """Returns the index of these rules."""
        found = self._indexes.get(id(rules))
        if found is None:
            found = (rules, RuleIndex.of(rules))
            put_bounded(self._indexes, id(rules), found, _MAX_KEPT)
        return found[1]

    def parts_of(self, key: _Key) -> MatchingParts:
        """Returns the parts for these limits and conditions: new ones where the automaton disabled a condition, so that
        the session after it starts without that."""
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

    `shared` is what the session has in common with others.
    """

    __slots__ = ("_made", "_shared", "reuses_automata")

    def __init__(self, shared: SharedMatching | None = None) -> None:
        self._shared = SharedMatching(shares_searches=True, kept=0) if shared is None else shared
        self._made: WeakValueDictionary[_Key, AutomatonMatcher] = WeakValueDictionary()
        """Those that a monitor still has."""
        self.reuses_automata = False
        """True if automata of other sessions are used, to which those may have done something."""

    def index_of(self, rules: tuple[Rule, ...]) -> RuleIndex:
        """Returns the index of these rules."""
        return self._shared.index_of(rules)

    def of(self, conditions: tuple[Condition, ...], limits: SearchLimits) -> AutomatonMatcher:
        """Returns the matcher of these conditions, with these limits."""
        key = (limits, conditions)
        matcher = self._made.get(key)
        if matcher is None:
            parts = self._shared.parts_of(key)
            self.reuses_automata |= parts.automaton is not None
            matcher = self._made[key] = AutomatonMatcher(conditions, limits, parts)
        return matcher

    @property
    def has_disabled(self) -> bool:
        """True if a condition cost too much to be matched any longer."""
        return any(matcher.automaton is not None and matcher.automaton.disabled for matcher in self._made.values())
