"""Reading texts as a whole finds every pattern that the specification finds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from benchmarks.real_conditions import all_conditions
from benchmarks.real_texts import KINDS, real_text
from tests.esregex.automaton.specification import Specification
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
def test_every_pattern_that_matches_a_text_is_possible(
    sources: list[Pattern], texts: list[str], limits: Limits
) -> None:
    check(sources, texts, limits)


@examples(300)
@given(st.lists(with_contexts(), min_size=1, max_size=3), st.lists(texts_with_factors(), min_size=1, max_size=4))
def test_every_pattern_that_matches_around_its_factor_is_possible(sources: list[Pattern], texts: list[str]) -> None:
    check(sources, texts, LIMITS)


def check(sources: list[Pattern], texts: list[str], limits: Limits) -> None:
    made = UnionAutomaton.build(sources, limits)
    specifications = [Specification(source) for source in sources]
    for text in texts:
        possible = made.possible_patterns(text)
        if possible is not None:
            matching = [spec.matches(text) or spec.least_final(text) is not None for spec in specifications]
            assert possible >= {number for number, matches in enumerate(matching) if matches}


@pytest.mark.parametrize("kind", KINDS)
def test_every_real_condition_that_matches_a_real_text_is_possible(kind: str) -> None:
    sources = [compile_condition(source).pattern for source in all_conditions()[::25]]
    made = UnionAutomaton.build(sources)
    text = to_units(real_text(kind)[:6_000])
    found = 0
    for start in range(0, len(text), 300):
        part = text[start : start + 300]
        possible = made.possible_patterns(part)
        cursor = made.open()
        fed = {event.pattern for event in made.feed(cursor, part)} | {event.pattern for event in made.finish(cursor)}
        ended = made.matches_if_ended(cursor)
        if possible is not None:
            found += 1
            assert possible >= fed | ended.matching
    assert found or made.open().final or made.open().doubtful


def possible(source: str, *texts: str) -> list[bool]:
    made = UnionAutomaton.build([parse(source)])
    return [bool(made.possible_patterns(text)) for text in texts]


def test_a_pattern_is_possible_only_where_it_matches() -> None:
    assert possible("zqv+x", "zqx", "a zqvvx", "zqv zqvx", "zqv", "") == [False, True, True, False, False]
    assert possible("zqv+x$", "zqvx", "zqvx ") == [True, False]
    assert possible("[ab]{3}c", "ab abc aabc", "ababababab") == [True, False]


def test_a_pattern_that_matches_the_empty_text_is_not_decided() -> None:
    assert UnionAutomaton.build([parse("a*")]).possible_patterns("b") is None


def test_a_text_that_takes_too_much_work_is_not_decided() -> None:
    made = UnionAutomaton.build([parse("[ab]c[de]")], Limits(feed_work=0))
    assert made.possible_patterns("ab") is None


def test_a_text_with_very_many_occurrences_of_factors_is_not_decided() -> None:
    sources = [parse(f"(?:zqvz|uk{first}{second}j);") for first in "abcdefghij" for second in "abcdefghij"]
    made = UnionAutomaton.build(sources, Limits(feed_work=1_000))
    assert [made.possible_patterns("zqvz " * number) for number in (1, 20)] == [frozenset(), None]


def test_evicted_states_are_built_again() -> None:
    made = UnionAutomaton.build([parse("[ab]c[de]")], Limits(fused_tables=0))
    text = "abc" * 100
    assert [made.possible_patterns(text), made.possible_patterns(text + "d")] == [frozenset(), {0}]
