"""Finds problems of a rule test file: invalid parts, a missing rule, and failing cases."""

from __future__ import annotations

from ttsr_ls.escaping import one_line
from ttsr_ls.lint.finding import Edit, Finding, Fix
from ttsr_ls.lint.limit_findings import limit_findings
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.matching.ast.search import AstSearch
from ttsr_ls.rule_tests.case import CaseKind, CaseProblem
from ttsr_ls.rule_tests.case_file import read_case_file
from ttsr_ls.rule_tests.case_run import CaseResult, CaseStatus, RuleUnderTest
from ttsr_ls.rules.rule import Rule
from ttsr_ls.text import Span

_INVALID = "invalid-rule-test"
_NO_RULE = "test-without-rule"
_FAILING = "failing-rule-test"
MAX_CHARACTERS = 500_000
"""How many characters of a file's cases are run here; `ttsr-ls test` runs all cases."""


class NoRuleFile:
    """A test file has no rule file next to it."""


def check_case_file(text: str, rule: Rule | NoRuleFile | None, search: AstSearch | None = None) -> tuple[Finding, ...]:
    """Returns the findings of a test file in source order.

    `rule` is the tested rule; None if it could not be loaded. Without `search`, cases that only an AST condition
    decides are not run.
    """
    file = read_case_file(text)
    findings = [report(_INVALID, problem.message, problem.span, *_fixes(problem)) for problem in file.problems]
    if isinstance(rule, NoRuleFile):
        message = (
            "There is no rule file of this name in the folder, so nothing is tested. Name the file after the rule: "
            "`NAME.test.yml` beside `NAME.md`."
        )
        findings.append(report(_NO_RULE, message, Span(0, 0)))
    elif rule is not None and file.cases:
        test = RuleUnderTest(rule, search)
        remaining = MAX_CHARACTERS
        for case in file.cases:
            remaining -= len(case.text)
            if remaining < 0:
                break
            result = test.run(case)
            if result.status is CaseStatus.FAILED:
                findings.append(report(_FAILING, failure_message(result), case.span))
    return limit_findings(sorted(findings, key=lambda finding: (finding.span, finding.code, finding.message)))


def _fixes(problem: CaseProblem) -> tuple[Fix, ...]:
    if problem.fix is None or not problem.fix.title.isprintable():
        return ()
    edits = [Edit(replacement.span, replacement.text) for replacement in problem.fix.replacements]
    return build_fixes(_INVALID, *edits, title=problem.fix.title)


def failure_message(result: CaseResult) -> str:
    """Returns why a case failed, as a sentence."""
    actual, expectation = result.actual, result.case.expected
    if result.case.kind is CaseKind.VALID:
        by = code(actual.condition or "", 60)
        return f"The rule must be silent on this text, but fires by {by} in line {actual.line}."
    if result.trigger is None:
        return "The rule must fire on this text, but is silent. `ttsr-ls test` says what stops it."
    if expectation.condition not in (None, actual.condition):
        expected = code(one_line(expectation.condition or ""), 60)
        return f"The rule fires by {code(actual.condition or '', 60)} instead of {expected}."
    if expectation.line not in (None, actual.line):
        return f"The rule fires in line {actual.line} instead of line {expectation.line}."
    return f"The rule fires at offset {actual.offset} instead of {expectation.offset}."
