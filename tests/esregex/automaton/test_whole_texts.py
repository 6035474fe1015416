"""Reading texts as a whole finds every pattern that the specification finds, where a stream would find it."""

from __future__ import annotations

from collections.abc import Set

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from benchmarks.real_conditions import all_conditions
from benchmarks.real_texts import KINDS, real_text
from tests.esregex.automaton.specification import Specification, VerifiedStream, expected_reports
from tests.esregex.automaton.test_prefiltered import LIMITS, with_factors
from tests.esregex.pattern_strategies import patterns, unit_texts
from tests.property_examples import examples
from ttsr_ls.esregex.automaton.nfa.limits import Limits
from ttsr_ls.esregex.automaton.union import UnionAutomaton
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import Pattern
from ttsr_ls.esregex.tree.units import to_units
from ttsr_ls.rules.condition import compile_condition

CONTEXTS = (r";\s*", "[^;]", r"(?m:^)\s*", "(?:a|;)", ";{2}", ";?", "(?:;b)+", "(?:;b)*", "(?=;)", ".*", "")


def with_contexts() -> st.SearchStrategy[Pattern]:
    """Patterns with other nodes before and after a factor."""
    around = st.lists(st.sampled_from(CONTEXTS), max_size=3).map("".join)
    factors = st.sampled_from(["zq", "(?:zq|vw)", "(?:zqvw|zqzq)x", "(?:zq)+", "(?i:Zq)", "zq?"])
    return st.tuples(around, factors, around).map(lambda parts: parse("".join(parts)))


def texts_with_factors() -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(["zq", "Zq", "vw", ";", " ", "a", "b", "\n", "x", "\u4e00"]), max_size=12).map(
        "".join
    )


@examples(200)
@given(
    st.lists(st.one_of(with_factors(), patterns()), min_size=1, max_size=3),
    st.lists(unit_texts(8), min_size=1, max_size=4),
    st.sampled_from([LIMITS, replace(LIMITS, fused_tables=2), replace(LIMITS, items_per_pattern=0)]),
)
def test_the_reports_of_a_text_agree_with_the_specification(
    sources: list[Pattern], texts: list[str], limits: Limits
) -> None:
    check(sources, texts, limits)


@examples(300)
@given(st.lists(with_contexts(), min_size=1, max_size=3), st.lists(texts_with_factors(), min_size=1, max_size=4))
def test_the_reports_around_a_factor_agree_with_the_specification(sources: list[Pattern], texts: list[str]) -> None:
    check(sources, texts, LIMITS)


def possible_patterns(made: UnionAutomaton, text: str) -> Set[int] | None:
    reading = made.read_whole(text)
    return None if reading is None else reading.patterns


def check(sources: list[Pattern], texts: list[str], limits: Limits) -> None:
    made = UnionAutomaton.build(sources, limits)
    specifications = [Specification(source) for source in sources]
    for text in texts:
        possible, verified = possible_patterns(made, text), VerifiedStream(made, specifications)
        if possible is not None and verified.read_whole(text):
            expected = expected_reports(specifications, text)
            assert possible >= expected.final.keys() | expected.matching
            assert verified.reports == expected


@pytest.mark.parametrize("kind", KINDS)
def test_real_conditions_have_the_same_matches_in_a_whole_text_as_in_a_stream(kind: str) -> None:
    sources = [compile_condition(source).pattern for source in all_conditions()[::25]]
    made = UnionAutomaton.build(sources)
    text = to_units(real_text(kind)[:6_000])
    found = 0
    for start in range(0, len(text), 300):
        part = text[start : start + 300]
        reading, cursor = made.read_whole(part), made.open()
        fed = made.feed(cursor, part) + made.finish(cursor)
        ended = made.matches_if_ended(cursor)
        if reading is not None:
            found += 1
            assert reading.patterns >= {event.pattern for event in fed} | ended.matching
            cursor, events = made.open_read(reading)
            assert set(events) == set(fed)
            assert made.matches_if_ended(cursor) == ended
    assert found or made.open().final or made.open().doubtful


def possible(source: str, *texts: str) -> list[bool]:
    made = UnionAutomaton.build([parse(source)])
    return [bool(possible_patterns(made, text)) for text in texts]


def test_a_pattern_is_possible_only_where_it_matches() -> None:
    assert possible("zqv+x", "zqx", "a zqvvx", "zqv zqvx", "zqv", "") == [False, True, True, False, False]
    assert possible("zqv+x$", "zqvx", "zqvx ") == [True, False]
    assert possible("[ab]{3}c", "ab abc aabc", "ababababab") == [True, False]


def test_a_pattern_that_matches_the_empty_text_is_not_decided() -> None:
    assert possible_patterns(UnionAutomaton.build([parse("a*")]), "b") is None


def test_a_text_that_takes_too_much_work_is_not_decided() -> None:
    made = UnionAutomaton.build([parse("[ab]c[de]")], Limits(feed_work=0))
    assert possible_patterns(made, "ab") is None


def test_a_text_with_very_many_occurrences_of_factors_is_not_decided() -> None:
    sources = [parse(f"(?:zqvz|uk{first}{second}j);") for first in "abcdefghij" for second in "abcdefghij"]
    made = UnionAutomaton.build(sources, Limits(feed_work=1_000))
    assert [possible_patterns(made, "zqvz " * number) for number in (1, 20)] == [frozenset(), None]


def test_evicted_states_are_built_again() -> None:
    made = UnionAutomaton.build([parse("[ab]c[de]")], Limits(fused_tables=0))
    text = "abc" * 100
    assert [possible_patterns(made, text), possible_patterns(made, text + "d")] == [frozenset(), {0}]
