"""Monitors share the watcher of the same conditions, as long as one of them has it."""

from __future__ import annotations

import gc

from tests.rules.rule_files import TEXT, rule_of
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.matching.streams.search_limits import LIVE, OFFLINE
from ttsr_ls.matching.streams.watchers import Watchers
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.stream import Delta

CONDITIONS = (compile_condition("ab"), compile_condition("cd"))


def test_the_same_conditions_with_the_same_bounds_have_one() -> None:
    watchers = Watchers()
    watcher = watchers.of(CONDITIONS, LIVE)
    assert watchers.of(tuple(CONDITIONS), LIVE) is watcher
    assert watchers.of(CONDITIONS, OFFLINE) is not watcher
    assert watchers.of(CONDITIONS[:1], LIVE) is not watcher
    assert watchers.of((), LIVE) is not watcher


def test_it_goes_with_the_last_monitor() -> None:
    watchers = Watchers()
    watcher = watchers.of(CONDITIONS, LIVE)
    kept = id(watcher)
    assert id(watchers.of(CONDITIONS, LIVE)) == kept
    del watcher
    gc.collect()
    assert len(watchers._made) == 0


def test_monitors_that_share_one_do_not_share_streams() -> None:
    watchers, rules = Watchers(), RuleSet((rule_of("a.*b"),))
    one, other = Monitor(rules, watchers=watchers), Monitor(rules, watchers=watchers)
    assert one.feed(Delta(TEXT, "a ")) == ()
    assert other.feed(Delta(TEXT, " b")) == ()
    assert [trigger.rule for trigger in one.feed(Delta(TEXT, " b"))] == ["r"]
    assert len(watchers._made) == 1
