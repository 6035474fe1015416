"""Finds placeholder texts that the template of a new rule left for its author to replace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.reporting import report
from ttsr_ls.rules.registration import Registration
from ttsr_ls.rules.template_texts import TEMPLATE_BODY, TEMPLATE_CONDITION
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

UNTOUCHED_TEMPLATE = "untouched-template"
_CONDITION = (
    "This is still the text of the template, so the rule fires on nothing that an agent writes. Write a regular "
    "expression for what the agent must not write."
)
_BODY = (
    "This is still the text of the template, and would be injected. Write what is wrong, and what the agent should do "
    "instead."
)


def check_untouched_template(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports a condition or a body that is still that of the template."""
    yield from untouched_condition((condition.value, condition.span) for condition in file.fields.conditions)
    yield from untouched_body(file)


def untouched_condition(conditions: Iterable[tuple[str, Span]]) -> Iterator[Finding]:
    """Reports conditions, each with its span, that are those of a template."""
    for text, span in conditions:
        if text == TEMPLATE_CONDITION:
            yield report(UNTOUCHED_TEMPLATE, _CONDITION, span)


def untouched_body(file: RuleFile) -> Iterator[Finding]:
    """Reports a body that is that of a template."""
    body = file.body.value
    if body.strip() == TEMPLATE_BODY:
        start = body.index(TEMPLATE_BODY)
        span = file.body.source_span(start, start + len(TEMPLATE_BODY))
        yield report(UNTOUCHED_TEMPLATE, _BODY, span)
