"""A text that is read as a whole has the triggers of its stream, with real conditions."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.real_conditions import real_conditions
from benchmarks.real_texts import KINDS, real_text
from tests.rules.rule_files import TEXT, rule_of
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.matching.streams.automaton_matcher import AutomatonMatcher
from ttsr_ls.matching.streams.search_limits import OFFLINE
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.stream import BlockEnd, Delta, Snapshot, Trigger

RULES = RuleSet(tuple(rule_of(condition, name=f"r{n}") for n, condition in enumerate(real_conditions(100))))


def triggers(monitor: Monitor, event: Delta | Snapshot) -> tuple[Trigger, ...]:
    return monitor.feed(event) + monitor.feed(BlockEnd(event.context))


@pytest.mark.parametrize("kind", KINDS)
def test_real_conditions_have_the_same_triggers_in_a_whole_text_as_in_a_stream(kind: str) -> None:
    random, text = Random(kind), real_text(kind)
    streamed, whole = Monitor(RULES, limits=OFFLINE), Monitor(RULES, limits=OFFLINE)
    found = 0
    for make in (Delta, Snapshot) * 4:
        start = random.randrange(len(text) - 2_000)
        event = make(TEXT, text[start : start + random.randrange(2_000)])
        is_quiet = whole.is_quiet(event)
        expected = triggers(streamed, event)
        assert triggers(whole, event) == expected
        assert not (is_quiet and expected)
        found += len(expected)
    assert found


def test_a_text_on_which_a_rule_may_fire_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monitor, event = Monitor(RuleSet((rule_of("zqv+", name="r"),))), Delta(TEXT, "a zqv b")
    assert not monitor.is_quiet(event)
    monkeypatch.setattr(AutomatonMatcher, "open", lambda _: pytest.fail("the text is read again"))
    assert [trigger.offset for trigger in triggers(monitor, event)] == [5]


def test_only_the_text_that_was_read_is_not_read_again() -> None:
    monitor = Monitor(RuleSet((rule_of("zqv+", name="r"),)))
    assert not monitor.is_quiet(Delta(TEXT, "a zqv b"))
    assert not triggers(monitor, Delta(TEXT, "a b"))
    assert triggers(monitor, Delta(TEXT, "zqv"))
