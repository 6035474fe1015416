"""The bounds leave room for any reasonable rule: nothing of a file with 1,000 ordinary conditions is left out."""

from __future__ import annotations

import time

from tests.hostile.hostile_cases import rule_of
from tests.processor_time import processor_time_below
from ttsr_ls.ide.trial.condition_trial import matched_conditions
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.engine import check_file
from ttsr_ls.lint.finding import Severity
from ttsr_ls.matching.ast.search import NoAstSearch
from ttsr_ls.matching.monitor.file_scan import FileScan
from ttsr_ls.rules.registration import register
from ttsr_ls.syntax.reader import read_rule

SECONDS = 3.0
"""Of processor time on a busy machine; half a second on an idle one."""
_FORMS = (r"\bold{}\(", r"use{}\s+of", r"(?:a|b){}x", r"as\s+T{};")
CONDITIONS = [_FORMS[number % len(_FORMS)].format(number) for number in range(1_000)]
FILE = read_rule(rule_of(*CONDITIONS, more="scope: text, tool:edit(*.ts)\n"), name="rule", path="rule.md")
TEXT = "export function work(value: any) { return value as unknown; } // use of T, a old(x) b\n" * 60


def test_all_conditions_are_checked() -> None:
    with processor_time_below(SECONDS):
        findings = check_file(FILE, LintContext())
    assert [finding.code for finding in findings if finding.severity in (Severity.ERROR, Severity.WARNING)] == []
    assert all("not analysed" not in finding.message for finding in findings)


def test_all_conditions_are_tried() -> None:
    rule = register(FILE, "native").rule
    assert rule is not None
    assert len(rule.conditions) == len(CONDITIONS)
    text = TEXT + "a998x as T999; old996("
    with processor_time_below(SECONDS):
        (decided,) = matched_conditions([rule], text)
    assert decided.slow == ()
    assert decided.matched == (996, 998, 999)


def test_all_conditions_are_tried_on_files() -> None:
    rule = register(FILE, "native").rule
    assert rule is not None
    scan = FileScan([rule], NoAstSearch(), time.thread_time)
    with processor_time_below(SECONDS):
        for _ in range(5):
            (match,) = scan.scan([0], TEXT + "a998x as T999; old996(", ("a.ts",)).matches
            assert match.conditions == (996, 998, 999)
    assert scan.disabled_conditions == ()
