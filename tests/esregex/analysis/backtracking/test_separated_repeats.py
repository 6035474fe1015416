"""Separated repeats: the automaton finds no ambiguity in them either."""

from __future__ import annotations

import pytest

from ttsr_ls.esregex.analysis.backtracking.backtracking import HarmlessPattern, judge_backtracking
from ttsr_ls.esregex.analysis.backtracking.separated_repeats import has_separated_repeats
from ttsr_ls.esregex.parse.parser import parse

SEPARATED = [
    r"foo\s*\(\s*bar",
    r"\s+\w+\s+",
    r"a*b+a*",
    r"\w+\.\w+",
    r"\s*(?:=|:)\s*",
    r"x+(?:ab?|cd)x+",
    r"\d*(?:;\d)?",
    r"\s+as\s+|\d+-\d+",
]
NOT_SEPARATED = [
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


@pytest.mark.parametrize("source", SEPARATED)
def test_required_units_between_repeats_separate_them(source: str) -> None:
    pattern = parse(source)
    assert has_separated_repeats(pattern.root)
    assert judge_backtracking(pattern) == HarmlessPattern()


@pytest.mark.parametrize("source", NOT_SEPARATED)
def test_other_repeats_are_not_separated(source: str) -> None:
    assert not has_separated_repeats(parse(source).root)
