"""Patterns that are made to be costly become matchers in bounded time; a search for too large a pattern is refused."""

from __future__ import annotations

from contextlib import suppress

import pytest

from tests.processor_time import processor_time_below
from ttsr_ls.esregex.automaton.union import UnionAutomaton
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.compile import compile_untrusted
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.pattern_size import MAX_UNITS
from ttsr_ls.matching.streams.automaton_matcher import AutomatonMatcher
from ttsr_ls.rules.condition import compile_condition

SECONDS = 1.5
"""Of processor time; each pattern took more than twice that."""

COSTLY = {
    "references": "(a)" + r"\1" * 4_000,
    "references to a loop": "(a*)" + r"\1" * 4_000,
    "named references": "(?<n>a)" + r"\k<n>" * 5_300,
    "start or letter": "(?:^|a)" * 4_600,
    "line start or letter": "(?m)" + "(?:^|a)" * 4_600,
    "much too long": "(?:^|a)" * 9_285,
    "optional letters": "a?" * 9_000,
}


@pytest.mark.parametrize("source", COSTLY.values(), ids=COSTLY)
def test_automata_are_built_in_bounded_time(source: str) -> None:
    pattern = compile_condition(source).pattern
    with processor_time_below(SECONDS):
        UnionAutomaton.build([pattern])


def test_thousands_of_distinct_units_are_fed_in_bounded_time() -> None:
    units = "".join(map(chr, range(0x3000, 0x4F00)))
    stream = AutomatonMatcher([compile_condition(f"(?i){units}")]).open()
    stream.append("")
    with processor_time_below(SECONDS):  # It took 6 s.
        stream.append(units)


def test_hundreds_of_counters_that_start_at_each_unit_are_fed_in_bounded_time() -> None:
    automaton = UnionAutomaton.build([compile_condition("(a){2,50}" * 888).pattern])
    with processor_time_below(SECONDS):
        automaton.feed(automaton.open(), "a" * 1_500)


@pytest.mark.parametrize("quantifier", ["*", "+", "?", "*?", "{2,}"])
@pytest.mark.parametrize("depth", [11, 18, 25, 38])
def test_nested_repeats_are_compiled_in_bounded_time(depth: int, quantifier: str) -> None:
    matcher = compile_untrusted(parse("(?:" * depth + "ab" + f"){quantifier}" * depth))
    with processor_time_below(SECONDS), suppress(MatchLimitExceeded):
        matcher.search("a")


def test_a_search_for_too_large_a_pattern_is_refused() -> None:
    matcher = compile_untrusted(parse("(?:^|a)" * (MAX_UNITS // 7 + 1)))
    with pytest.raises(MatchLimitExceeded):
        matcher.search("a")


def test_a_text_of_any_length_is_searched() -> None:
    text = "word " * MAX_UNITS
    assert compile_untrusted(parse(text)).test(f"x{text}")


def test_a_stream_refuses_too_large_a_condition_and_matches_the_others() -> None:
    conditions = [compile_condition("(?:^|a)" * (MAX_UNITS // 7 + 1)), compile_condition("foo")]
    stream = AutomatonMatcher(conditions).open()
    stream.append("a foo")
    stream.end()
    assert stream.final_match(1) is not None
    with pytest.raises(MatchLimitExceeded):
        stream.match_at_end(0)
