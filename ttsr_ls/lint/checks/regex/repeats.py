"""Finds quantifiers and assertions without an effect, and repeats that make a search restart at every position."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.esregex.analysis.effect.redundant_parts import (
    RedundantPartKind,
    leading_repeat_of_any,
    redundant_parts,
)
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.conditions import ConditionWithSpan, conditions_with_spans
from ttsr_ls.lint.regex.universality import PatternBreadth, pattern_breadth
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

_CODES = {
    RedundantPartKind.QUANTIFIER: "useless-quantifier",
    RedundantPartKind.ASSERTION: "redundant-assertion",
}


def check_repeats(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports redundant parts of conditions."""
    for condition in conditions_with_spans(file, context.limits):
        pattern = condition.condition.pattern
        if condition.is_shorthand:
            continue
        for part in condition.condition.cached_items(redundant_parts):
            source = code(pattern.source[part.span.start : part.span.end], 40)
            message = f"{source} has no effect: {part.reason}. Remove it."
            yield _finding(_CODES[part.kind], file, condition, part.span, part.removed, message)
        leading = condition.condition.cached_analysis(leading_repeat_of_any)
        if leading is not None and condition.condition.cached_analysis(pattern_breadth) is PatternBreadth.SOME:
            source = code(pattern.source[leading.start : leading.end], 40)
            message = (
                f"{source} at the start changes nothing: a condition is found anywhere in a text. But an agent scans "
                "the rest of the text from every position, at every delta. Remove it."
            )
            yield _finding("rescanning-condition", file, condition, leading, leading, message)


def _finding(
    finding_code: str, file: RuleFile, condition: ConditionWithSpan, span: Span, removed: Span, message: str
) -> Finding:
    fixes = build_fixes(finding_code, condition.edit(file, removed, ""))
    return report(finding_code, message, condition.source_span(span), *fixes)
