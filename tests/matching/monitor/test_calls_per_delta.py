"""The number of function calls for a delta without triggers, which does not depend on the load of the machine."""

from __future__ import annotations

import sys
from types import FrameType

from tests.rules.rule_files import TEXT, rule_of
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.stream import Delta

WORDS = [f"quux{number:02}z" for number in range(20)]
RULES = RuleSet(tuple(rule_of(rf"\b{word}\b", name=word) for word in WORDS))
PLAIN = "some plain text "
FIRED = [f"a {word} b    " for word in WORDS]


def calls_of(monitor: Monitor, text: str) -> int:
    """Counts the Python functions that are called for a delta, which must trigger nothing."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    delta = Delta(TEXT, text)
    sys.setprofile(count)
    fired = monitor.feed(delta)
    sys.setprofile(None)
    assert fired == ()
    return calls


def test_a_delta_without_matches_calls_few_functions() -> None:
    monitor = Monitor(RULES)
    for _ in range(3):
        monitor.feed(Delta(TEXT, PLAIN))
    assert calls_of(monitor, PLAIN) <= 4


def test_texts_of_rules_that_fired_do_not_start_their_groups() -> None:
    monitor = Monitor(RULES)
    fired = [trigger.rule.name for text in FIRED for trigger in monitor.feed(Delta(TEXT, text))]
    assert fired == WORDS
    for text in FIRED * 3:
        monitor.feed(Delta(TEXT, text))
    assert max(calls_of(monitor, text) for text in FIRED) <= 13
