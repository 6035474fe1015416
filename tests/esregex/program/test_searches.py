"""Searches in steps find what the backtracking matcher finds, at any interruption and in growing texts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st

from tests.esregex.pattern_strategies import patterns, unit_texts
from tests.property_examples import examples
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.finality.finality import final_form
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.program.budget import SearchSteps, StepBudget, first_result, run_to_end
from ttsr_ls.esregex.search.growing_search import GrowingSearch
from ttsr_ls.esregex.search.needle import find_needle
from ttsr_ls.esregex.search.pattern_search import PatternSearch
from ttsr_ls.esregex.search.reference_free_form import without_backreferences_incrementally
from ttsr_ls.esregex.search.thread import KnownText
from ttsr_ls.esregex.tree.backreferences import backreferences
from ttsr_ls.esregex.tree.incremental import run_to_completion
from ttsr_ls.esregex.tree.nodes import Pattern
from ttsr_ls.esregex.tree.simplify import simplify
from ttsr_ls.text import Span

_Found = TypeVar("_Found")
STEPS = st.sampled_from((1, 7, 1_000))
_STEPS_TO_COMPILE = 160
"""How many steps it takes at most to compile a class."""


def in_turns(make: Callable[[StepBudget], SearchSteps[_Found]], steps: int) -> _Found:
    """Returns the result of a search that is interrupted after every `steps` steps."""
    budget = StepBudget()
    search = make(budget)
    while True:
        budget.left = steps
        try:
            next(search)
        except StopIteration as ended:
            found: _Found = ended.value
            return found


def expected(pattern: Pattern, text: str) -> Span | None:
    try:
        return BacktrackMatcher(pattern, step_limit=20_000).search(text)
    except MatchLimitExceeded:
        reject()


@examples(200)
@given(patterns(), unit_texts(), unit_texts(), STEPS)
def test_forward_and_backward_searches_find_the_leftmost_match_of_a_prefix(
    pattern: Pattern, text: str, rest: str, steps: int
) -> None:
    span = expected(pattern, text)
    search, known, size = PatternSearch(pattern), KnownText(text + rest), len(text)
    assert in_turns(partial(search.first_from, known, 0, size), steps) == span
    assert in_turns(partial(search.leftmost, known, 0, size), steps) == span
    start = in_turns(partial(search.leftmost_by_end, known, 0, size), steps)
    assert start == (None if span is None else span.start)


@examples(200)
@given(patterns(), st.lists(unit_texts(max_size=4), max_size=5), STEPS)
def test_growing_search_finds_the_shortest_prefix_with_a_match(pattern: Pattern, deltas: list[str], steps: int) -> None:
    form = final_form(pattern)
    text = "".join(deltas)
    least = next((size for size in range(len(text) + 1) if expected(form, text[:size]) is not None), None)
    known = KnownText()
    growing = GrowingSearch(PatternSearch(form), known)
    found = None
    for delta in ("", *deltas):
        known.units += delta
        found = found or in_turns(partial(growing.find_shortest_prefix, len(known.units)), steps)
    span = None if least is None else expected(form, text[:least])
    assert found == (None if least is None or span is None else (least, span.start))


@settings(examples(200), suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(patterns(), unit_texts())
def test_a_match_ends_within_its_reach_before_the_shortest_final_prefix(pattern: Pattern, text: str) -> None:
    form = final_form(pattern)
    least = next((size for size in range(1, len(text) + 1) if expected(form, text[:size]) is not None), None)
    assume(least is not None and expected(form, "") is None)
    assert least is not None
    search = PatternSearch(form)
    span = run_to_end(search.leftmost(KnownText(text), max(0, least - search.reach), least, StepBudget(1 << 40)))
    assert span == expected(form, text[:least])


@examples(200)
@given(patterns(), unit_texts())
def test_the_reference_free_form_matches_wherever_the_pattern_does(pattern: Pattern, text: str) -> None:
    simple_pattern = simplify(pattern)
    reference_free = run_to_completion(without_backreferences_incrementally(simple_pattern))
    assert not backreferences(reference_free)
    span = expected(simple_pattern, text)
    assert span is None or expected(reference_free, text) is not None


@pytest.mark.parametrize(
    ("source", "text", "span"),
    [
        (r"a[^;]*;", "a" * 40_000 + "b" * 40_000 + ";", Span(0, 80_001)),
        (r"b[\s\S]*z", "x" * 100_000 + "b" + "y" * 100_000 + "z", Span(100_000, 200_002)),
        (r"(?:a|aa)+b", "a" * 5_000 + "c" + "a" * 5_000 + "b", Span(5_001, 10_002)),
        (r"(a|aa)+b", "a" * 2_000 + "b", Span(0, 2_001)),
        (r"(x+x+)+y", "x" * 300 + "z" + "x" * 300 + "y", Span(301, 602)),
        (r"(\w+)-\1!", "one-two " * 2_000 + "same-same!", Span(16_000, 16_010)),
    ],
)
def test_steps_grow_linearly_with_the_text(source: str, text: str, span: Span) -> None:
    search, known = PatternSearch(parse(source)), KnownText(text)
    budget = StepBudget(100 * len(text))
    assert run_to_end(search.leftmost(known, len(text), len(text), budget)) == span


def test_finding_a_match_at_the_end_does_not_depend_on_the_text_before_it() -> None:
    search = PatternSearch(parse(r"\bword\d+\s*=\s*\w+;"))
    known = KnownText("word = 7; " * 100_000 + "word1 = x;")
    budget = StepBudget(1_000 + 8 * _STEPS_TO_COMPILE)
    assert run_to_end(search.leftmost(known, len(known.units), len(known.units), budget)) == Span(1_000_000, 1_000_010)


def test_growing_search_does_not_examine_text_again() -> None:
    known = KnownText()
    growing = GrowingSearch(PatternSearch(parse(r"<(\w+)>[\s\S]*</\1>")), known)
    spent = []
    for number in range(2_000):
        known.units += f"<tag{number % 9}> text </other>"
        budget = StepBudget(1 << 40)
        assert run_to_end(growing.find_shortest_prefix(len(known.units), budget)) is None
        spent.append((1 << 40) - budget.left)
    assert max(spent[1_900:]) < 2 * max(spent[100:200])
    known.units += "</tag4>"
    assert run_to_end(growing.find_shortest_prefix(len(known.units), StepBudget(1 << 40))) == (len(known.units), 4 * 20)


def test_first_result_costs_about_twice_the_cheapest_search() -> None:
    def counting(steps: int, budget: StepBudget) -> SearchSteps[int]:
        for _ in range(steps):
            while budget.left <= 0:
                yield
            budget.left -= 1
        return steps

    for costs in ((10**9, 3_000), (3_000, 10**9), (500, 500)):
        budget = StepBudget(10_000)
        assert run_to_end(first_result(budget, [partial(counting, cost) for cost in costs])) == min(costs)
        assert 10_000 - budget.left <= 2 * min(costs) + 1_500


def test_a_search_without_remaining_steps_raises() -> None:
    search = PatternSearch(parse("(?:a|b)+c"))
    with pytest.raises(MatchLimitExceeded):
        run_to_end(search.first_from(KnownText("ab" * 1_000), 0, 2_000, StepBudget(100)))


def test_preparing_a_pattern_that_is_too_large_raises() -> None:
    with pytest.raises(MatchLimitExceeded):
        run_to_completion(PatternSearch(parse("(?:^|a)" * 3_000)).prepare_incrementally())


def test_find_needle_skips_only_positions_without_the_needle() -> None:
    random = Random(3)
    for _ in range(3_000):
        text = "".join(random.choice("ab") for _ in range(12))
        needle = "".join(random.choice("ab") for _ in range(random.randint(1, 3)))
        size, backward = random.randint(4, 12), random.random() < 0.5
        value, last = random.sample(range(size + 1), 2)
        order = range(value, last + 1) if value < last else range(value, last - 1, -1)
        found = find_needle(text, size, needle, value, last, backward)
        for position in order:
            if position == found:
                break
            if backward:
                assert not text[:position].endswith(needle)
            else:
                assert not text[position:size].startswith(needle)
                assert not needle.startswith(text[position:size])
        else:
            assert found == -1


def test_instructions_of_counted_loops_count_as_two_steps() -> None:
    """Such instructions copy and hash registers: 129,006 of them took as long as twice as many other instructions."""
    search = PatternSearch(parse("(?:a" * 4 + "){2}" * 4 + "c"))
    text = (("aaaa" * 200 + "b" + "ab" * 300) * 3)[:3_000]
    budget = StepBudget(1 << 40)
    assert run_to_end(search.first_from(KnownText(text), 0, len(text), budget)) is None
    assert (1 << 40) - budget.left > 200_000
