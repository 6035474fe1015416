"""Monitors of a session share matchers. Sessions share automata, but no state of a session."""

from __future__ import annotations

import gc
import weakref

import pytest

from tests.built_automata import notice_builds
from tests.rules.rule_files import TEXT, rule_of
from ttsr_ls.esregex.automaton.union import UnionAutomaton
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.matching.streams.automaton_matcher import AutomatonMatcher
from ttsr_ls.matching.streams.matcher_cache import MatcherCache, SharedMatching
from ttsr_ls.matching.streams.search_limits import LIVE
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.stream import Delta

SOURCES = ("old_[a-z]+", r"(new|other)_\1")
CONDITIONS = tuple(compile_condition(source) for source in SOURCES)
OTHERS = (compile_condition("old_[a-z]+"),)


def matched(matcher: AutomatonMatcher, text: str) -> list[int]:
    stream = matcher.open()
    stream.append(text)
    stream.end()
    return [number for number in range(len(matcher.conditions)) if stream.final_match(number) is not None]


def test_the_monitors_of_a_session_share_a_matcher() -> None:
    cache = MatcherCache()
    matcher = cache.of(CONDITIONS, LIVE)
    assert cache.of(CONDITIONS, LIVE) is matcher
    assert cache.of(OTHERS, LIVE) is not matcher
    assert not cache.reuses_automata


@pytest.mark.parametrize("shares_searches", [False, True])
def test_sessions_with_equal_conditions_build_one_automaton(
    monkeypatch: pytest.MonkeyPatch, shares_searches: bool
) -> None:
    builds: list[int] = []
    notice_builds(monkeypatch, builds.append)
    shared = SharedMatching(shares_searches=shares_searches)
    caches = [MatcherCache(shared) for _ in range(3)]
    matchers = [cache.of(tuple(compile_condition(source) for source in SOURCES), LIVE) for cache in caches]
    for matcher in matchers:
        matcher.prewarm("old new")
        assert matched(matcher, "an old_module, and new_new.") == [0, 1]
        assert matched(matcher, "a new module") == []
    assert builds == [2]
    assert len({id(matcher) for matcher in matchers}) == 3
    last = MatcherCache(shared)
    last.of(CONDITIONS, LIVE)
    assert last.reuses_automata
    last.of(OTHERS, LIVE).open()
    assert builds == [2, 1]


def test_a_new_session_gets_a_new_automaton_if_the_old_one_disabled_a_condition() -> None:
    shared = SharedMatching(shares_searches=True)
    cache = MatcherCache(shared)
    matcher = cache.of(CONDITIONS, LIVE)
    matcher.open()
    assert not cache.has_disabled
    assert matcher.automaton is not None
    matcher.automaton.disabled = frozenset([1])  # type: ignore[misc]
    assert cache.has_disabled
    other = MatcherCache(shared)
    assert matched(other.of(CONDITIONS, LIVE), "new_new.") == [1]
    assert not other.reuses_automata
    assert not other.has_disabled


def test_unused_automata_are_kept_until_the_rules_change() -> None:
    shared = SharedMatching(shares_searches=True)
    matcher = MatcherCache(shared).of(CONDITIONS, LIVE)
    automaton = weakref.ref(matcher._parts)
    matcher.open()
    del matcher
    gc.collect()
    assert automaton() is not None
    shared.drop_unused()
    gc.collect()
    assert automaton() is None


def test_a_cache_of_one_session_keeps_no_unused_matcher() -> None:
    cache = MatcherCache()
    matcher = cache.of(CONDITIONS, LIVE)
    automaton = weakref.ref(matcher._parts)
    del matcher
    gc.collect()
    assert automaton() is None


def test_each_session_reports_a_condition_that_another_session_disabled() -> None:
    shared = SharedMatching(shares_searches=True)
    rules = RuleSet((rule_of("deprecated_module", name="a"), rule_of("(old|new)_x", name="b")))
    first, second = (Monitor(rules, matchers=MatcherCache(shared)) for _ in range(2))
    assert not second.feed(Delta(TEXT, "as before "))
    automaton = shared.parts_of((LIVE, first._rules.conditions)).automaton
    assert isinstance(automaton, UnionAutomaton)
    automaton._disable([1])
    assert [trigger.rule.name for trigger in second.feed(Delta(TEXT, "old_x deprecated_module"))] == ["a"]
    assert [(each.rule.name, each.condition) for each in second.disabled_conditions] == [("b", 0)]
    third = Monitor(rules, matchers=MatcherCache(shared))
    assert [trigger.rule.name for trigger in third.feed(Delta(TEXT, "old_x deprecated_module"))] == ["b", "a"]
