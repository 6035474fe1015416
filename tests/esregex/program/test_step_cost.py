"""The time of one step of a search is bounded for any pattern and text."""

from __future__ import annotations

import string
import time

import pytest

from tests.counted_calls import count_calls
from tests.processor_time import is_below, processor_time_below
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.finality.finality import final_form
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.program.budget import StepBudget
from ttsr_ls.esregex.search.pattern_search import PatternSearch
from ttsr_ls.esregex.search.thread import KnownText
from ttsr_ls.esregex.tree.bottom_up import fold_tree_incrementally
from ttsr_ls.esregex.tree.incremental import run_to_completion
from ttsr_ls.esregex.tree.nodes import Pattern

STEPS = 20_000
SECONDS = 0.06
"""Of processor time: three times the allowed time of so many steps. Before the fix, the patterns took 0.08 to 1.1 s."""

_LOOPS = "(?!.*a)b" * 150
_LONG_REFERENCE = r"(?i:(a{1000,})\1b)"


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        pytest.param(final_form(parse(_LOOPS)), "b" + "ab" * 1_000, id="many registers"),
        pytest.param(parse(_LONG_REFERENCE), "aA" * 4_000, id="a long reference that ignores case"),
        pytest.param(
            parse("(?:" + "|".join(["(?<n>a)"] * 1_000) + ")*\\k<n>b"), "a" * 3_000, id="many groups of a name"
        ),
    ],
)
def test_time_of_a_search_in_steps(pattern: Pattern, text: str) -> None:
    search = PatternSearch(pattern)
    run_to_completion(search.prepare_incrementally())
    with processor_time_below(SECONDS):
        next(search.first_from(KnownText(text), 0, len(text), StepBudget(STEPS)), None)


def test_time_of_a_backtracking_search() -> None:
    matcher = BacktrackMatcher(parse(_LONG_REFERENCE), STEPS)
    with processor_time_below(SECONDS), pytest.raises(MatchLimitExceeded):
        matcher.search("aA" * 4_000)


@pytest.mark.parametrize("pattern", ["(?:a?){300}b", "(?:a??){300}b"])
def test_an_optional_unit_is_looked_up_without_a_regex_search(pattern: str) -> None:
    search, matcher = PatternSearch(parse(pattern)), BacktrackMatcher(parse(pattern), STEPS)
    run_to_completion(search.prepare_incrementally())
    text = "a" * 1_000

    def steps() -> None:
        next(search.first_from(KnownText(text), 0, len(text), StepBudget(STEPS)), None)
        next(search.leftmost_by_end(KnownText(text), 0, len(text), StepBudget(STEPS)), None)
        with pytest.raises(MatchLimitExceeded):
            matcher.count_steps(text, 0)

    assert count_calls(steps) < 2 * STEPS, "45,000 when a regular expression looked for each unit"


def test_compiling_a_class_of_nearly_all_units_does_not_take_time_for_each_of_them() -> None:
    sources = [f"[${letter}\\xA0-\\uFFFF]x" for letter in string.ascii_letters]
    searches = [PatternSearch(parse(source)) for source in sources]
    with processor_time_below(0.05, "2.5 ms a class when `re` went through all its units"):
        for search in searches:
            run_to_completion(search.prepare_incrementally())


def test_a_step_of_compiling_a_class_takes_about_a_microsecond() -> None:
    searches = [PatternSearch(parse(rf"[\s{chr(unit)}]x")) for unit in range(0x61, 0xA0)]
    began = time.process_time()
    steps = sum(portion for search in searches for portion in search.prepare_incrementally())
    took = time.process_time() - began
    assert is_below(took, steps * 1.5e-6), f"{1e6 * took / steps:.1f} µs a step"


def test_a_node_is_counted_with_its_children() -> None:
    root = parse("|".join(["a"] * 3_000)).root
    *_, last = fold_tree_incrementally(root, lambda _, values: sum(values))
    assert last == 3_000
