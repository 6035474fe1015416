"""Preparing a search takes time proportional to the length of the pattern, at any nesting depth."""

from __future__ import annotations

import pytest

from tests.processor_time import processor_time_below
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.search.pattern_search import PatternSearch
from ttsr_ls.esregex.tree.incremental import run_to_completion

SECONDS = 1.0
"""Of processor time; quadratic work on the first two patterns took 5 s and more."""


@pytest.mark.parametrize(
    "pattern",
    [
        "(?!" * 3_900 + "a" + ")" * 3_900,
        "(a)" + "(?=" * 3_900 + "\\1" + ")" * 3_900,
        "(" * 3_900 + "a" + ")" * 3_900 + "\\1",
    ],
    ids=["lookarounds", "lookarounds with a reference", "captures"],
)
def test_preparing_a_deep_pattern_takes_linear_time(pattern: str) -> None:
    search = PatternSearch(parse(pattern))
    with processor_time_below(SECONDS):
        run_to_completion(search.prepare_incrementally())
