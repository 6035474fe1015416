"""The search for backtracking ends within its work, for one pattern and for all of a file."""

from __future__ import annotations

import pytest

from tests.hostile.hostile_cases import rule_of
from tests.hostile.pathological_patterns import FAMILIES
from tests.processor_time import processor_time_below
from ttsr_ls.esregex.analysis.backtracking.backtracking import judge_backtracking
from ttsr_ls.esregex.analysis.graph.work import WorkBudget, WorkExhausted
from ttsr_ls.esregex.match.compile import compile_pattern
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.engine import check_file
from ttsr_ls.syntax.reader import read_rule

PATTERN_SECONDS = 0.5
"""Of processor time; the patterns took 0.5 to 5 s."""
FILE_SECONDS = 2.0
"""The files took 10 s and more."""


@pytest.mark.parametrize(
    ("family", "length"),
    [
        ("html tags", 2_000),
        ("unicode escapes", 2_000),
        ("large ranges of counts", 655),
        ("csv fields", 655),
        ("dotted words", 655),
    ],
)
def test_one_pattern(family: str, length: int) -> None:
    pattern = parse(FAMILIES[family](length))
    with processor_time_below(PATTERN_SECONDS):
        judge_backtracking(pattern)


@pytest.mark.parametrize("family", ["csv fields", "dotted words", "large ranges of counts", "blanks around", "dates"])
def test_many_conditions(family: str) -> None:
    conditions = [f"x{number}{FAMILIES[family](655)}" for number in range(20)]
    file = read_rule(rule_of(*conditions), name="rule", path="rule.md")
    with processor_time_below(FILE_SECONDS):
        findings = check_file(file, LintContext())
    assert any("not analysed" in finding.message for finding in findings)
    assert [*check_file(file, LintContext())] == [*findings], "what is remembered must not change what is found"


@pytest.mark.parametrize("family", ["alternation of loops", "nested alternatives in loops", "lookbehinds of loops"])
def test_one_long_condition(family: str) -> None:
    file = read_rule(rule_of(FAMILIES[family](8_000)), name="rule", path="rule.md")
    with processor_time_below(FILE_SECONDS):
        check_file(file, LintContext())


@pytest.mark.parametrize("family", ["anything 2", "alternation of loops", "any looks 1"])
def test_alternatives_of_many_conditions_are_compared_in_bounded_time(family: str) -> None:
    conditions = [f"x{number}{FAMILIES[family](500)}" for number in range(40)]
    file = read_rule(rule_of(*conditions), name="rule", path="rule.md")
    with processor_time_below(FILE_SECONDS):
        check_file(file, LintContext())


def test_work_ends() -> None:
    work = WorkBudget(10)
    work.spend(10)
    with pytest.raises(WorkExhausted):
        work.spend(1)


def test_repeats_of_many_classes_of_very_many_units() -> None:
    file = read_rule(rule_of(FAMILIES["loops of different classes"](8_000)), name="rule", path="rule.md")
    with processor_time_below(0.8):  # It took 1.3 s.
        check_file(file, LintContext())


def test_class_of_very_many_ranges_is_searched_in_bounded_time() -> None:
    pattern = FAMILIES["one class of many units, ignoring case"](8_000).removeprefix("(?i)")
    matcher = compile_pattern(parse(f"(?i:{pattern})"))
    with processor_time_below(0.2):  # It took 2 s.
        assert not matcher.test("ab c" * 200_000)
