"""Finds bad examples in a rule's body on which the rule does not fire, and good examples on which it does."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.reporting import report
from ttsr_ls.rule_tests.body_examples import BodyExample
from ttsr_ls.rule_tests.case import CaseKind
from ttsr_ls.rule_tests.stream_choice import examples_of
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile

_BAD_SILENT = "bad-example-silent"
_GOOD_FIRES = "good-example-fires"
_MAX_CHARACTERS = 20_000
"""How many characters of examples are run for one rule."""


def check_examples(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports examples on which the rule does the opposite of their mark, as far as that can be decided here.

    `check_own_advice` covers unmarked good examples.
    """
    rule = registration.rule
    if rule is None or rule.question is not None or not (rule.conditions or rule.ast_conditions):
        return
    if "```" not in file.body.value and "~~~" not in file.body.value:
        return
    examples = [example for example in examples_of(rule) if example.is_marked or example.case.kind is CaseKind.INVALID]
    if not examples:
        return
    # Imported lazily: most rules have no examples, and need no engine to be checked.
    from ttsr_ls.rule_tests.case_run import CaseStatus, RuleUnderTest

    test = RuleUnderTest(rule)
    remaining = _MAX_CHARACTERS
    for example in examples:
        remaining -= len(example.case.text)
        if remaining < 0:
            return
        result = test.run(example.case)
        if result.status is CaseStatus.FAILED:
            yield _finding(file, example, result.actual.condition)


def _finding(file: RuleFile, example: BodyExample, condition: str | None) -> Finding:
    if example.case.kind is CaseKind.INVALID:
        finding_code = _BAD_SILENT
        message = (
            "The rule does not fire on this bad example. Widen the condition or the scope until it does, or change the "
            "example; `ttsr-ls test` says what stops the rule."
        )
        severity = None if example.is_marked else Severity.INFO
    else:
        finding_code, severity = _GOOD_FIRES, None
        message = (
            f"The rule fires on this good example, by {code(condition or '', 60)}. Narrow the condition until the "
            "example does not match, or change the example."
        )
    span = example.case.span
    return report(finding_code, message, file.body.source_span(span.start, span.end), severity=severity)
