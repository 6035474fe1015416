"""The automaton's work at a delta is limited. Further work is deferred, with the same triggers and positions, or
reported as too slow.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from random import Random

import pytest
from msgspec.structs import replace

from tests.rules.rule_files import TEXT, rule_of
from ttsr_ls.esregex.automaton.dfa.lazy_dfa import LazyDfa
from ttsr_ls.esregex.automaton.dfa.table_pool import Table
from ttsr_ls.esregex.automaton.nfa.limits import Limits
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.matching.streams.automaton_matcher import AutomatonMatcher
from ttsr_ls.matching.streams.search_limits import LIVE, OFFLINE, SearchLimits
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import BlockEnd, Delta, Trigger

_UNITS = "xqzjkvwy0123"
_SLACK = 1_500
"""A group reads sixteen units before their work is counted, and always up to its factor."""


def overlapping_sets(count: int, seed: int = 1) -> list[str]:
    random = Random(seed)
    return ["".join(f"[{''.join(random.sample(_UNITS, 3))}]" for _ in range(6)) for _ in range(count)]


def around_a_text(count: int) -> list[str]:
    random = Random(2)
    sets = ["".join(random.choices(string.ascii_lowercase, k=8)) for _ in range(2 * count)]
    return [f"[{sets[2 * n]}]{{1,9}}qzx[{sets[2 * n + 1]}]{{1,9}}{n}" for n in range(count)]


def with_lookaheads(count: int) -> list[str]:
    random = Random(3)

    def text(length: int) -> str:
        return "".join(random.choices("abcdef", k=length))

    return [rf"(?=[\s\S]*{text(3)})(?=[\s\S]*{text(3)})(?![\s\S]*{text(6)})" for _ in range(count)]


def text_of(units: str, length: int, seed: int = 4) -> str:
    return "".join(Random(seed).choices(units, k=length))


def answers(conditions: Sequence[str], text: str, size: int, limits: SearchLimits) -> list[tuple[str, int, int, int]]:
    rules = [rule_of(condition, name=f"r{number:03}") for number, condition in enumerate(conditions)]
    monitor = Monitor(RuleSet(tuple(rules)), limits=limits)
    triggers: list[Trigger] = []
    deferred = 0
    for start in range(0, len(text), size):
        triggers += monitor.feed(Delta(TEXT, text[start : start + size]))
        deferred += bool(monitor.deferred_rules)
    assert deferred or limits is OFFLINE
    triggers += monitor.feed(BlockEnd(TEXT))
    assert monitor.deferred_rules == monitor.disabled_conditions == ()
    return sorted((trigger.rule.name, trigger.start, trigger.end, trigger.offset) for trigger in triggers)


@pytest.mark.parametrize(
    ("conditions", "text"),
    [
        (overlapping_sets(400), text_of(_UNITS, 640)),
        (around_a_text(400), "qzx".join(text_of(string.ascii_lowercase, 6, seed) for seed in range(40))),
        (with_lookaheads(40), text_of("abcdef", 200)),
    ],
    ids=["overlapping sets", "around a text", "lookaheads"],
)
def test_the_automaton_s_work_at_a_delta_is_limited(conditions: Sequence[str], text: str) -> None:
    # Without parts, conditions with lookaheads are matched as a whole.
    limits = replace(LIVE, automaton=replace(LIVE.automaton, parts=0))
    matcher = AutomatonMatcher([compile_condition(condition) for condition in conditions], limits)
    stream = matcher.open()
    is_deferred = False
    for start in range(0, len(text), 16):
        stream.append(text[start : start + 16])
        assert stream._cursor.work < LIVE.automaton.feed_work + _SLACK
        is_deferred |= bool(stream.unsettled)
    assert is_deferred
    stream.end()
    assert not stream.unsettled


@pytest.mark.parametrize("size", [7, 300])
def test_deferred_groups_answer_like_undeferred_ones(size: int) -> None:
    conditions, text = overlapping_sets(120), text_of(_UNITS, 600)
    hurried = replace(LIVE, automaton=replace(LIVE.automaton, feed_work=100))
    assert answers(conditions, text, size, hurried) == answers(conditions, text, len(text), OFFLINE)


def test_final_matches_are_reported_in_order_despite_deferred_groups() -> None:
    hurried = replace(LIVE.automaton, feed_work=100)
    matcher = AutomatonMatcher(
        [compile_condition(condition) for condition in overlapping_sets(120)], replace(LIVE, automaton=hurried)
    )
    stream = matcher.open()
    text = text_of(_UNITS, 600)
    settled = 0
    for start in range(0, len(text), 16):
        before = set(stream.final_conditions)
        stream.append(text[start : start + 16])
        offsets = [stream._final[condition] for condition in stream.final_conditions if condition not in before]
        assert all(settled < offset <= stream._cursor.settled for offset in offsets)
        settled = stream._cursor.settled
    stream.end()
    assert stream._cursor.settled == len(text)


def test_conditions_of_groups_deferred_too_long_are_disabled() -> None:
    hopeless = Limits(feed_work=20, end_work=1 << 60, deferred_units=200)
    rules = tuple(rule_of(condition, name=f"r{at}") for at, condition in enumerate(overlapping_sets(60)))
    monitor = Monitor(RuleSet(rules), limits=replace(LIVE, automaton=hopeless))
    text = text_of(_UNITS, 1_000)
    fired: set[str] = set()
    for start in range(0, len(text), 16):
        fired |= {trigger.rule.name for trigger in monitor.feed(Delta(TEXT, text[start : start + 16]))}
    fired |= {trigger.rule.name for trigger in monitor.feed(BlockEnd(TEXT))}
    disabled = {condition.rule.name for condition in monitor.disabled_conditions}
    assert disabled
    assert {rule.name for rule in rules if rule.conditions[0].matcher.test(text)} <= fired | disabled


def test_in_reference_matching_a_rule_of_a_deferred_group_is_deferred() -> None:
    hurried = replace(LIVE, automaton=replace(LIVE.automaton, feed_work=4))
    rules = [rule_of(condition, name=f"r{number:03}") for number, condition in enumerate(overlapping_sets(60))]
    monitor = Monitor(RuleSet(tuple(rules)), None, Matching.REFERENCE, limits=hurried)
    patient = Monitor(RuleSet(tuple(rules)), None, Matching.REFERENCE, limits=OFFLINE)
    text = text_of(_UNITS, 300)
    deferred = 0
    for start in range(0, len(text), 16):
        delta = Delta(TEXT, text[start : start + 16])
        found = {trigger.rule.name: (trigger.start, trigger.end) for trigger in monitor.feed(delta)}
        expected = {trigger.rule.name: (trigger.start, trigger.end) for trigger in patient.feed(delta)}
        waiting = set(monitor.deferred_rules)
        deferred += len(waiting)
        assert {name: span for name, span in expected.items() if name not in waiting} == {
            name: span for name, span in found.items() if name not in waiting
        }
    assert deferred


def test_many_rules_that_match_at_one_delta_fire_over_several_deltas_with_one_offset() -> None:
    rules = tuple(rule_of("needle", name=f"r{number}") for number in range(250))
    monitor = Monitor(RuleSet(rules))
    fired = [monitor.feed(Delta(TEXT, delta)) for delta in ["a needle ", "in", "a", "haystack"]]
    assert [len(triggers) for triggers in fired] == [LIVE.rules, LIVE.rules, 50, 0]
    assert {trigger.offset for triggers in fired for trigger in triggers} == {8}
    assert len({trigger.rule.name for triggers in fired for trigger in triggers}) == 250


def test_deferred_rules_fire_at_the_end_of_the_block() -> None:
    rules = tuple(rule_of("needle", name=f"r{number}") for number in range(250))
    monitor = Monitor(RuleSet(rules))
    assert len(monitor.feed(Delta(TEXT, "a needle"))) == LIVE.rules
    assert len(monitor.deferred_rules) == 250 - LIVE.rules
    assert len(monitor.feed(BlockEnd(TEXT))) == 250 - LIVE.rules


def test_a_factor_after_many_irrelevant_ones_is_not_lost() -> None:
    # A deferred group keeps 24 factors.
    conditions = [*overlapping_sets(120), r"\bqzx\b"]
    text = text_of(_UNITS, 400) + "aqzxa" * 40 + " qzx " + "aqzxa" * 40
    hurried = replace(LIVE, automaton=replace(LIVE.automaton, feed_work=4))
    assert answers(conditions, text, 16, hurried) == answers(conditions, text, len(text), OFFLINE)


def test_steps_to_cached_states_count_as_work(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = 0
    next_table = LazyDfa.next_table

    def counted(self: LazyDfa, table: Table, symbol: int) -> Table:
        nonlocal steps
        steps += 1
        return next_table(self, table, symbol)

    matcher = AutomatonMatcher(
        [compile_condition(rf"^[\s\S]{{{n % 400}}}[{'abcd'[n % 4]}x]{{3}}{n}") for n in range(1000)]
    )
    matcher.prewarm("and so on " * 100)
    monkeypatch.setattr(LazyDfa, "next_table", counted)
    stream = matcher.open()
    for start in range(0, 64, 16):
        before = steps
        stream.append(text_of("abcd", 64)[start : start + 16])
        assert steps - before < LIVE.automaton.feed_work // 2
