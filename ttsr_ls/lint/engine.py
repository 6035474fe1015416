"""Runs every check over one rule file.

Owns the order and the bounds; what is wrong is found by the reader, by registration, and by `checks`. Pure: no disk.
"""

from __future__ import annotations

from ttsr_ls.engine.registration import Registration, register
from ttsr_ls.lint.checks import CHECKS
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.problem_findings import finding_of_problem
from ttsr_ls.syntax.rule_file import RuleFile


def check_file(file: RuleFile, context: LintContext) -> tuple[Finding, ...]:
    """All findings of a rule file, in order of the text. Never raises, whatever the file says."""
    registration: Registration = register(file, context.provider)
    findings = [finding_of_problem(problem, file) for problem in (*file.problems, *registration.problems)]
    for check in CHECKS:
        findings.extend(check(file, registration, context))
    unique = {(finding.code, finding.span, finding.message): finding for finding in reversed(findings)}
    return tuple(sorted(unique.values(), key=lambda finding: (finding.span, finding.code, finding.message)))
