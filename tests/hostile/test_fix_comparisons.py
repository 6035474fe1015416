"""Judging whether fixes are safe ends within its work, however many conditions and findings a file has."""

from __future__ import annotations

import pytest

from tests.hostile.hostile_cases import rule_of
from tests.hostile.pathological_patterns import FAMILIES
from tests.processor_time import processor_time_below
from ttsr_ls.esregex.analysis.graph.work import WorkBudget
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.engine import check_file
from ttsr_ls.lint.finding import Edit, Finding, Fix, Safety, Severity
from ttsr_ls.lint.fixes.fix_safety import verify_fix_safety
from ttsr_ls.lint.regex.trigger_coverage import fires_wherever
from ttsr_ls.rules.registration import Registration, register
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.text import Span

SECONDS = 1.5
"""Of processor time; each took three times that, and more."""


@pytest.mark.parametrize(("family", "length"), [("wide ranges in loops", 655), ("one negated class", 8_000)])
def test_files_with_many_fixes_of_a_costly_condition_are_checked_in_bounded_time(family: str, length: int) -> None:
    file = read_rule(rule_of(FAMILIES[family](length)), name="rule", path="rule.md")
    with processor_time_below(SECONDS):
        findings = check_file(file, LintContext())
    assert [*check_file(file, LintContext())] == [*findings], "remembered answers must not change what is found"


def test_conditions_that_are_too_long_to_be_compared_are_not_tried_on_texts() -> None:
    condition = FAMILIES["boundaries between words"](8_000)
    before, after = (
        register(read_rule(rule_of(f"{opening}{condition}"), name="rule", path="rule.md"), "native")
        for opening in ("x", "y")
    )
    work = WorkBudget(1_000_000)
    assert not fires_wherever(after, before, work)
    assert work.left > 999_990


def test_no_fix_is_tried_once_the_work_of_a_file_is_done() -> None:
    pattern = FAMILIES["wide ranges in loops"](655)
    text = rule_of(pattern)
    position = text.index("[")
    fixes = [Fix("x", (Edit(Span(position, position), f"x{number}"),), Safety.SAFE) for number in range(100)]
    findings = [Finding("unknown-key", Severity.INFO, "m", Span(0, 1), (fix,), ()) for fix in fixes]
    registered = []

    def registration(text: str) -> Registration:
        registered.append(text)
        return register(read_rule(text, name="rule", path="rule.md"), "native")

    judgement = list(verify_fix_safety(findings, text, registration))
    assert len(registered) < 20
    assert {finding.fixes[0].safety for finding in judgement[20:]} == {Safety.UNSAFE}
