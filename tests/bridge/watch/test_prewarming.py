"""After prewarming, the first message of an agent needs few new states."""

from __future__ import annotations

import argparse
import inspect
import json.decoder
import statistics
import textwrap
from collections.abc import Callable, Iterable

import pytest

from benchmarks.real_conditions import real_conditions
from benchmarks.rule_sets import rule_set
from ttsr_ls.bridge.watch.prewarming import MAX_RULE_TEXT, prewarming_text
from ttsr_ls.esregex.automaton.union import UnionAutomaton
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.matching.streams.automaton_matcher import AutomatonMatcher
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.stream import Delta, Source, StreamContext

MESSAGES = [inspect.getsource(module)[:2000] for module in (argparse, json.decoder, statistics, textwrap)]


def only_bodies(rules: Iterable[Rule]) -> str:
    return "\n".join(rule.body for rule in rules)


def new_states(text_for: Callable[[Iterable[Rule]], str]) -> int:
    """The number of states and fused states that four first messages of code create, with 100 real conditions."""
    rules = rule_set(real_conditions(100, rare=True))
    made = 0
    for message in MESSAGES:
        monitor = Monitor(rules)
        monitor.prewarm(text_for(rules.rules))
        matcher = monitor._matcher
        assert isinstance(matcher, AutomatonMatcher)
        automaton = matcher.build()
        assert isinstance(automaton, UnionAutomaton)
        assembly = automaton._assembly
        before = assembly.evictor.made + assembly.groups._fusion.made
        context = StreamContext(Source.TEXT, key="first")
        for start in range(0, len(message), 16):
            monitor.feed(Delta(context, message[start : start + 16]))
        made += assembly.evictor.made + assembly.groups._fusion.made - before
    return made


def test_code_needs_half_of_the_new_states_after_typical_output() -> None:
    assert 0 < new_states(prewarming_text) < new_states(only_bodies) / 2 + 1


@pytest.mark.parametrize(("count", "is_added"), [(1, True), (128, True), (129, False)])
def test_typical_output_is_added_for_at_most_128_conditions(count: int, is_added: bool) -> None:
    rules = rule_set(["a"] * count).rules
    text = prewarming_text(rules)
    assert text.startswith(only_bodies(rules)[:MAX_RULE_TEXT])
    assert (len(text) > min(len(only_bodies(rules)), MAX_RULE_TEXT) + 40_000) is is_added
