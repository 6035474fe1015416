"""Rules with unfinished searches are evaluated again in turn, and only when steps are left."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.rules.rule_files import TEXT, rule_of
from ttsr_ls.matching.condition_evaluator import ConditionEvaluator
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.matching.streams.search_limits import LIVE, OFFLINE, SearchLimits
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.stream import Delta, Snapshot, Trigger

COUNT = 60
FEW = replace(LIVE, delta=60, share=60, burst=200, rate=60)
"""Enough for one or two searches a delta."""
NAMES = [f"r{number}" for number in range(COUNT)]
RULES = [rule_of(f"word{number}[a-z]+;+!", name=name) for number, name in enumerate(NAMES)]
MATCHING = " ".join(f"word{number}abcabc;;;!" for number in range(COUNT))
COSTLY = rule_of(r"(\w+) (?:\w+ )*\1!", name="costly")
"""Its search takes some thousand steps on this text."""
COSTLY_TEXT = "".join(f"{number:03}{number:03} " for number in range(300)) + "299299! "


def monitor(limits: SearchLimits, *first: object) -> Monitor:
    rules = RuleSet((*first, *RULES))  # type: ignore[arg-type]
    return Monitor(rules, limits=limits)


def place(trigger: Trigger) -> tuple[str, int, int, int]:
    return trigger.rule.name, trigger.start, trigger.end, trigger.offset


def evaluations(patch: pytest.MonkeyPatch) -> list[None]:
    """A list to which each evaluation of a rule adds an item."""
    found: list[None] = []
    evaluate = ConditionEvaluator.first_final_match

    def counted(*arguments: object) -> object:
        found.append(None)
        return evaluate(*arguments)  # type: ignore[arg-type]

    patch.setattr(ConditionEvaluator, "first_final_match", counted)
    return found


def test_a_delta_without_steps_evaluates_no_waiting_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    streamed = monitor(FEW)
    fired = [*streamed.feed(Delta(TEXT, MATCHING))]
    evaluated = evaluations(monkeypatch)
    deltas = 0
    while streamed.deferred_rules:
        fired += streamed.feed(Delta(TEXT, " "))
        deltas += 1
    assert deltas > 20
    assert len(evaluated) < 4 * deltas
    assert sorted(map(place, fired)) == sorted(map(place, monitor(OFFLINE).feed(Delta(TEXT, MATCHING))))
    assert len(fired) == COUNT


def test_a_costly_search_does_not_delay_others() -> None:
    streamed = monitor(FEW, COSTLY)
    fired = [*streamed.feed(Delta(TEXT, COSTLY_TEXT + MATCHING))]
    for _ in range(20 * COUNT):
        fired += streamed.feed(Delta(TEXT, " "))
    assert streamed.deferred_rules == ("costly",)
    assert sorted(trigger.rule.name for trigger in fired) == sorted(NAMES)


def test_waiting_rules_are_evaluated_anew_on_a_replaced_text() -> None:
    streamed = monitor(FEW)
    streamed.feed(Snapshot(TEXT, MATCHING))
    waiting = streamed.deferred_rules
    assert len(waiting) > COUNT // 2
    fired = [*streamed.feed(Snapshot(TEXT, "nothing"))]
    while streamed.deferred_rules:
        fired += streamed.feed(Delta(TEXT, " "))
    assert not {trigger.rule.name for trigger in fired} & set(waiting)
