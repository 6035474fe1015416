"""Fixing a file ends within its work, however many findings the file has."""

from __future__ import annotations

import json

import pytest

from tests.hostile.hostile_cases import rule_of
from tests.hostile.pathological_patterns import FAMILIES
from tests.processor_time import processor_time_below
from ttsr_ls.lint.config.settings_check import check_settings
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.engine import check_file
from ttsr_ls.lint.finding import Finding, Safety
from ttsr_ls.lint.fixes.fixed_file import fix_file
from ttsr_ls.lint.limits import LINT_LIMITS, LintLimits
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.settings_file import read_settings
from ttsr_ls.syntax.settings_locations import SettingsFormat

SECONDS = 2.5
"""Of processor time; each took three times that, and more."""

FILES = {
    "many fixes": rule_of(*[f"x{number}{FAMILIES['alternation of letters'](655)}" for number in range(60)]),
    "many costly conditions": rule_of(*[f"x{number}{FAMILIES['alternation of loops'](655)}" for number in range(60)]),
    "many comments": rule_of("foo") + "<!-- ttsr-ls: ignore[glob-shorthand] -->\n" * 20_000,
    "many boundaries": rule_of(r"\b" * 30_000),
}


def found(text: str, limits: LintLimits = LINT_LIMITS) -> tuple[Finding, ...]:
    return check_file(read_rule(text, name="rule", path="rule.md"), LintContext(limits=limits))


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_files_are_fixed_in_bounded_time(text: str) -> None:
    with processor_time_below(SECONDS):
        file = fix_file(text, found, frozenset(Safety))
    assert len(file.findings) <= LINT_LIMITS.findings


def test_a_report_says_how_many_findings_it_leaves_out() -> None:
    findings = found(rule_of("foo") + "`<!--` and\n`-->` are code.\n" * (LINT_LIMITS.findings + 5))
    assert len(findings) == LINT_LIMITS.findings
    assert "more findings after this one" in findings[-1].message
    assert all("more findings" not in finding.message for finding in findings[:-1])


def test_limits_are_parameters() -> None:
    text = "---\ncondition: ['\\.\\*a', '[aa]b', '[bb]c', 'd\\d\\d']\n---\nNo.\n"
    every = [finding.message for finding in found(text)]
    assert len(every) == 2
    assert len(found(text, LintLimits(findings=1))) == 1
    assert "more findings after this one" in found(text, LintLimits(findings=1))[-1].message
    assert "up to 2 conditions" in " ".join(finding.message for finding in found(text, LintLimits(conditions=2)))
    assert "up to 9 characters" in " ".join(finding.message for finding in found(text, LintLimits(units=9)))


def test_a_report_of_settings_is_bounded_as_well() -> None:
    settings = json.dumps({"ttsr": {f"key{number}": 1 for number in range(LINT_LIMITS.findings + 5)}})
    findings = check_settings(read_settings(settings, ".omp/settings.json", SettingsFormat.JSON))
    assert len(findings) == LINT_LIMITS.findings
    assert "more findings after this one" in findings[-1].message
