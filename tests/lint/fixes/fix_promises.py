"""What each fix of a file promises, alone and together with all others."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from tests.lint.case_files import apply, findings_of
from ttsr_ls.lint.finding import Finding, Safety, Severity
from ttsr_ls.lint.fixes.fixed_file import REVEALING, fix_file

PATH = ".omp/rules/rule.md"


# One text is checked many times: before and after a fix, and by those who compare.
@lru_cache(10_000)
def check(path: str, text: str) -> tuple[Finding, ...]:
    (findings,) = findings_of([(path, text)])
    return findings


def check_rule(text: str) -> tuple[Finding, ...]:
    return check(PATH, text)


def assert_each_fix_removes_its_finding(path: str, text: str) -> int:
    """How many fixes there are."""
    findings = check(path, text)
    fixes = [(finding, fix) for finding in findings for fix in finding.fixes]
    for finding, fix in fixes:
        after = check(path, apply(text, fix))
        # What was hidden behind it may come to light, so only the finding itself is counted.
        assert _count(finding, after) < _count(finding, findings), (finding, apply(text, fix))
    return len(fixes)


def _count(finding: Finding, among: tuple[Finding, ...]) -> int:
    """How many of the findings are this one. YAML fails at one line at a time, perhaps each for the same reason."""
    return sum(
        (each_finding.code, each_finding.message) == (finding.code, finding.message)
        and (each_finding.code != "yaml-degraded" or each_finding.span.start <= finding.span.start)
        for each_finding in among
    )


def _errors(findings: tuple[Finding, ...]) -> int:
    return sum(finding.severity is Severity.ERROR for finding in findings)


def assert_keeps_its_promises(text: str, allowed: frozenset[Safety]) -> None:
    before = check_rule(text)
    file = fix_file(text, check_rule, allowed)
    assert file.findings == check_rule(file.text)
    again = fix_file(file.text, check_rule, allowed)
    assert (again.text, again.fixed) == (file.text, 0)
    has, had = (Counter(finding.code for finding in findings) for findings in (file.findings, before))
    errors_before, errors_now = (_errors(findings) for findings in (before, file.findings))
    if not any(finding.code in REVEALING for finding in before):
        # An unsafe fix of an error may uncover lesser findings.
        assert not has - had or (Safety.UNSAFE in allowed and errors_now < errors_before)
    assert (file.text == text) is (file.fixed == 0)
