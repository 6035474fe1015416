"""The automaton of the monitor answers like searches of the whole text, for any deltas."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.search_matcher import SearchMatcher
from tests.matching.monitor.test_monitor_properties import CONDITIONS
from ttsr_ls.esregex.automaton.nfa.limits import Limits
from ttsr_ls.esregex.automaton.union import UnionAutomaton
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.matching.streams.automaton_matcher import AutomatonMatcher
from ttsr_ls.matching.streams.automaton_stream import AutomatonStream
from ttsr_ls.matching.streams.checkpoints import Checkpoints, common_prefix
from ttsr_ls.matching.streams.condition_matcher import Match, StreamMatcher
from ttsr_ls.matching.streams.exact_verifier import ExactVerifier
from ttsr_ls.matching.streams.search_limits import OFFLINE
from ttsr_ls.rules.condition import compile_condition

COMPILED = [
    compile_condition(text)
    for text in (
        *CONDITIONS,
        r"a[\s\S]*b",
        r"a[\s\S]*b[\s\S]*\bc",
        r"a[^\n]{0,9}c",
        r"b.{2,12}a\b",
        r"^(?![\s\S]*c)[\s\S]*b",
        r"(a|b)[^c]*\1 ",
        r"(?<!b.*)a",
    )
]
UNITS = st.text("aaabbbc \n\ud83d\ude00é", max_size=12)
STEPS = st.lists(st.one_of(UNITS.map(lambda units: ("append", units)), UNITS.map(lambda units: ("replace", units))))


def answers(stream: StreamMatcher) -> list[object]:
    conditions = range(len(COMPILED))
    return [(stream.final_match(condition), stream.match_at_end(condition)) for condition in conditions]


@settings(max_examples=50, deadline=None)
@given(STEPS)
def test_an_automaton_matcher_answers_like_a_search_of_the_whole_text(steps: list[tuple[str, str]]) -> None:
    automaton, search = AutomatonMatcher(COMPILED, OFFLINE).open(), SearchMatcher(COMPILED).open()
    for how, units in [("append", ""), *steps]:
        for stream in (automaton, search):
            stream.append(units) if how == "append" else stream.replace(stream.prefix(len(units)) + units)
        assert answers(automaton) == answers(search)
        assert automaton.length == search.length
        for condition in range(len(COMPILED)):
            if automaton.final_match(condition) is not None:
                assert condition in automaton.final_conditions
            if automaton.match_at_end(condition) is not None:
                assert condition in {*automaton.conditions_at_end, *automaton.final_conditions}


def test_a_condition_disabled_by_the_automaton_raises() -> None:
    conditions = [compile_condition("a.{200}[A-Zc-y]"), compile_condition("zz")]
    limits = Limits(states_per_group=50, uncached_groups=0, items_per_group=1)
    made = UnionAutomaton.build([condition.pattern for condition in conditions], limits)
    stream = AutomatonStream(made, ExactVerifier(conditions))
    drawn = random.Random(3)
    stream.append("".join(drawn.choice("ab") for _ in range(1500)) + "zz")
    assert set(stream.changed) == {0, 1}
    assert stream.conditions_at_end == {0}
    assert set(stream.final_conditions) == {1}
    assert stream.final_match(1) == Match(1500, 1502, 1502)
    for ask in (stream.final_match, stream.match_at_end):
        with pytest.raises(MatchLimitExceeded):
            ask(0)


def test_a_final_match_in_replaced_text_is_forgotten() -> None:
    dots = "." * 300_000
    text = dots[:120_000] + "foo" + dots
    stream = AutomatonMatcher([compile_condition("foo")]).open()
    for replaced in (text, text[:125_000] + "x", dots[:100_000]):
        stream.replace(replaced)
    assert not stream.final_conditions
    assert not stream.conditions_at_end
    stream.append(" foo ")
    assert stream.final_match(0) == Match(100_001, 100_004, 100_004)


def test_a_match_verified_late_stays_final_when_later_text_is_replaced() -> None:
    stream = AutomatonMatcher([compile_condition(r"(['\"])foo\1")], OFFLINE).open()
    text = "." * 50_000
    stream.replace(text[:10_000] + "'foo'" + text)
    stream.replace(text[:10_000] + "'foo'" + text + "x")
    assert stream.final_match(0) == Match(10_000, 10_005, 10_005)
    stream.replace(text[:10_000] + "'foo'" + text[:30_000] + "y")
    assert stream.final_match(0) == Match(10_000, 10_005, 10_005)
    stream.replace(text[:10_004])
    assert stream.final_match(0) is None


def test_prewarming_changes_no_answer() -> None:
    matcher = AutomatonMatcher(COMPILED, OFFLINE)
    matcher.prewarm("ab c\n" * 50)
    stream, search = matcher.open(), SearchMatcher(COMPILED).open()
    for each_stream in (stream, search):
        each_stream.append("ab c\nab")
    assert answers(stream) == answers(search)


@pytest.mark.parametrize(
    ("first", "second", "length"), [("", "a", 0), ("abc", "abd", 2), ("abc", "ab", 2), ("x", "x", 1)]
)
def test_common_prefix_returns_the_length_of_the_shared_beginning(first: str, second: str, length: int) -> None:
    assert common_prefix(first, second) == length
    assert common_prefix(first * 1000 + "y", first * 1000 + "z") == len(first) * 1000


def test_checkpoints_are_few_and_dense_near_the_end() -> None:
    automaton = UnionAutomaton.build([COMPILED[0].pattern])
    cursor = automaton.open()
    checkpoints = Checkpoints(automaton.open())
    for _ in range(500):
        automaton.feed(cursor, "c" * 1024)
        checkpoints.add(cursor)
    assert 5 < len(checkpoints._cursors) < 40
    assert cursor.length - 2048 <= checkpoints.last_at_most(cursor.length - 1).length < cursor.length
    half = cursor.length // 2
    assert half // 2 <= checkpoints.last_at_most(half).length <= half
    assert checkpoints.last_at_most(0).length == 0
