"""The work of a delta is limited for pattern groups with lookarounds whose steps become costly."""

from __future__ import annotations

from benchmarks.adversarial import SETS
from benchmarks.rule_sets import rule_set
from tests.rules.rule_files import TEXT
from ttsr_ls.esregex.automaton.union import UnionAutomaton
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.matching.streams.search_limits import LIVE
from ttsr_ls.rules.stream import Delta


def test_the_work_of_a_delta_with_costly_steps_is_limited() -> None:
    chosen = SETS["300 × lookaheads over the text"]()
    rules = rule_set(chosen.conditions)
    monitor = Monitor(rules)
    monitor.prewarm("\n".join(rule.body for rule in rules.rules)[:50_000])
    automaton = monitor._matcher.automaton
    assert isinstance(automaton, UnionAutomaton)
    evictor = automaton._assembly.evictor
    taken = []
    for start in range(0, 9_000, 16):
        before = evictor.work
        monitor.feed(Delta(TEXT, chosen.text[start : start + 16]))
        taken.append(evictor.work - before)
    assert LIVE.automaton.feed_work < max(taken) < 2.25 * LIVE.automaton.feed_work
