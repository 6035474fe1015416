"""Repeats that are kept apart: none of them can be told ambiguous by the automaton either."""

from __future__ import annotations

import pytest

from ttsr_ls.esregex.analysis.backtracking.backtracking import HarmlessPattern, judge_backtracking
from ttsr_ls.esregex.analysis.backtracking.separated_repeats import has_separated_repeats
from ttsr_ls.esregex.parse.parser import parse

APART = [
    r"foo\s*\(\s*bar",
    r"\s+\w+\s+",
    r"a*b+a*",
    r"\w+\.\w+",
    r"\s*(?:=|:)\s*",
    r"x+(?:ab?|cd)x+",
    r"\d*(?:;\d)?",
    r"\s+as\s+|\d+-\d+",
]
NOT_APART = [
    r"a*b*a*",
    r"\s*\s*",
    r"\s*x?\s*",
    r"[^)]*foo[^)]*",
    r".*(?:,|;)?.*",
    r"(?:a+)+b",
    r"(?:a*b)*a*c",
    r"(\w+) \1-\w+",
    r"a{0,40}a{0,40}b",
    r"(?:x|x)*;\d*",
    r"\w+(?=-)\w+",
]


@pytest.mark.parametrize("source", APART)
def test_what_must_match_in_between_keeps_repeats_apart(source: str) -> None:
    pattern = parse(source)
    assert has_separated_repeats(pattern.root)
    assert judge_backtracking(pattern) == HarmlessPattern()


@pytest.mark.parametrize("source", NOT_APART)
def test_all_else_is_left_to_the_automaton(source: str) -> None:
    assert not has_separated_repeats(parse(source).root)
