"""Monitors share the matcher of the same conditions, as long as one of them has it."""

from __future__ import annotations

import gc

from tests.rules.rule_files import TEXT, rule_of
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.matching.streams.matcher_cache import MatcherCache
from ttsr_ls.matching.streams.search_limits import LIVE, OFFLINE
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.stream import Delta

CONDITIONS = (compile_condition("ab"), compile_condition("cd"))


def test_the_same_conditions_with_the_same_bounds_have_one() -> None:
    matchers = MatcherCache()
    matcher = matchers.of(CONDITIONS, LIVE)
    assert matchers.of(tuple(CONDITIONS), LIVE) is matcher
    assert matchers.of(CONDITIONS, OFFLINE) is not matcher
    assert matchers.of(CONDITIONS[:1], LIVE) is not matcher
    assert matchers.of((), LIVE) is not matcher


def test_it_goes_with_the_last_monitor() -> None:
    matchers = MatcherCache()
    matcher = matchers.of(CONDITIONS, LIVE)
    kept = id(matcher)
    assert id(matchers.of(CONDITIONS, LIVE)) == kept
    del matcher
    gc.collect()
    assert len(matchers._made) == 0


def test_monitors_that_share_one_do_not_share_streams() -> None:
    matchers, rules = MatcherCache(), RuleSet((rule_of("a.*b"),))
    one, other = Monitor(rules, matchers=matchers), Monitor(rules, matchers=matchers)
    assert one.feed(Delta(TEXT, "a ")) == ()
    assert other.feed(Delta(TEXT, " b")) == ()
    assert [trigger.rule.name for trigger in one.feed(Delta(TEXT, " b"))] == ["r"]
    assert len(matchers._made) == 1
