"""Finds word boundaries next to punctuation at the edges of conditions."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.esregex.analysis.slips.punctuation import PunctuatedBoundary, punctuated_boundaries
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.conditions import ConditionWithSpan, conditions_to_analyse
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile

_CODE = "boundary-beside-punctuation"


def check_boundaries(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    r"""Reports each `\b` beside punctuation, which requires a word character before or after the described text."""
    for condition in conditions_to_analyse(file, context.limits):
        if "\\b" in condition.condition.pattern.source:
            for boundary in condition.condition.cached_items(punctuated_boundaries, context.limits.findings_of_a_kind):
                yield _finding(file, condition, boundary)


def _finding(file: RuleFile, condition: ConditionWithSpan, boundary: PunctuatedBoundary) -> Finding:
    neighbour = code(boundary.neighbour, 20)
    if boundary.is_before:
        requirement = f"`\\b` before {neighbour} requires a letter, a digit or `_` in front of it"
        missed = "at the start of a line or after a blank"
    else:
        requirement = f"`\\b` after {neighbour} requires a letter, a digit or `_` after it"
        missed = "before a blank or at the end of a line"
    if boundary.is_alternative:
        side = "begin" if boundary.is_before else "end"
        advice = f"Put the `\\b` only beside the alternatives that {side} with such a character."
        message = f"{requirement}, so this alternative does not match {missed}. {advice}"
    else:
        message = f"{requirement}, so the condition does not match {missed}. Remove the `\\b`."
    return condition.report(file, _CODE, message, boundary.span, None if boundary.is_alternative else "")
