"""Matchers are shared in a session; the next session gets the automata, and nothing that the last one left."""

from __future__ import annotations

from ttsr_ls.matching.streams.matcher_cache import MatcherCache
from ttsr_ls.matching.streams.search_limits import LIVE
from ttsr_ls.rules.condition import compile_condition

CONDITIONS = (compile_condition("old_[a-z]+"), compile_condition("new_module"))
OTHERS = (compile_condition("old_[a-z]+"),)


def test_the_next_session_has_the_automaton_and_another_verifier() -> None:
    cache = MatcherCache()
    matcher = cache.of(CONDITIONS, LIVE)
    assert cache.of(CONDITIONS, LIVE) is matcher
    stream = matcher.open()
    stream.append("an old_module")
    matcher_cache = cache.for_next_session()
    assert not cache.is_handed_on
    assert matcher_cache.is_handed_on
    next_matcher = matcher_cache.of(CONDITIONS, LIVE)
    assert next_matcher is not matcher
    assert next_matcher.automaton is matcher.automaton is not None
    assert matcher_cache.of(OTHERS, LIVE).automaton is None
    del matcher, stream, next_matcher
    # What no monitor of a session had is not handed on.
    assert not MatcherCache().for_next_session().is_handed_on


def test_an_automaton_that_disabled_a_condition_is_not_handed_on() -> None:
    cache = MatcherCache()
    matcher = cache.of(CONDITIONS, LIVE)
    matcher.open()
    assert not cache.has_disabled
    assert matcher.automaton is not None
    matcher.automaton.disabled = frozenset([1])  # type: ignore[misc]
    assert cache.has_disabled
    assert not cache.for_next_session().is_handed_on
