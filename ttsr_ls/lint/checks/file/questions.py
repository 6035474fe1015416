"""Finds questions that are never asked, not filtered, or not answered in time (spec J)."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding, RelatedLocation
from ttsr_ls.lint.fixes.entry_edits import remove_entry
from ttsr_ls.lint.reporting import report
from ttsr_ls.rules.registration import Registration
from ttsr_ls.rules.rule import InterruptMode
from ttsr_ls.rules.settings.settings import JudgeMode
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

_INERT = "inert-interrupt-mode"
_UNASKED = "unasked-question"
_UNFILTERED = "unfiltered-question"


def check_questions(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports settings and keys that keep the rule's question from being asked."""
    question, rule = file.fields.question, registration.rule
    if question is None or rule is None:
        return
    if rule.interrupt_mode not in (None, InterruptMode.NEVER):
        message = (
            f"`interruptMode: {rule.interrupt_mode}` has no effect here: a `question` is asked about a finished "
            "output, so there is nothing left to interrupt. The body is injected as a reminder."
        )
        span = _value_span(file, "interruptMode") or question.span
        yield report(_INERT, message, span, *remove_entry(file, _INERT, "interruptMode"))
    if context.settings.judge is JudgeMode.OFF:
        message = (
            "The setting `ttsr.judge` is `off` in this project, so the question is never asked. The rule never fires."
        )
        yield report(_UNASKED, message, question.span)
    if file.fields.conditions and not rule.conditions and not rule.ast_conditions:
        message = (
            "None of the conditions compiles, so nothing filters the question: the judge model is called for every "
            "output in the scope. Correct the conditions."
        )
        span = _value_span(file, "condition") or file.fields.conditions[0].span
        related = (RelatedLocation("the conditions", span),)
        yield report(_UNFILTERED, message, question.span, related=related)


def _value_span(file: RuleFile, name: str) -> Span | None:
    entry = None if file.frontmatter is None else file.frontmatter.entry(name)
    return None if entry is None else entry.value.span
