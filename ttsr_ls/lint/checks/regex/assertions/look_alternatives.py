"""Finds lookaheads whose first alternative alone searches ahead in the text."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.esregex.analysis.slips.look_alternatives import UnanchoredLookAlternatives, look_alternatives
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.conditions import ConditionWithSpan, conditions_to_analyse
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile

_CODE = "divided-lookahead"


def check_look_alternatives(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    r"""Reports lookaheads such as `^(?=[\s\S]*node|bun)`, in which `bun` only matches at the start."""
    for condition in conditions_to_analyse(file, context.limits):
        source = condition.condition.pattern.source
        if "(?" not in source or "|" not in source:
            continue
        divided = condition.condition.cached_items(look_alternatives, context.limits.findings_of_a_kind)
        if divided:
            yield _finding(file, condition, divided)


def _finding(file: RuleFile, condition: ConditionWithSpan, divided: tuple[UnanchoredLookAlternatives, ...]) -> Finding:
    """Returns one finding for all divided lookaheads of a condition, because they are one mistake."""
    source, first = condition.condition.pattern.source, divided[0]
    searched = code(source[first.searched.start : first.searched.end], 40)
    fixed_text = code(source[first.fixed.start : first.fixed.end], 40)
    message = (
        f"`|` divides the whole lookahead, so only {searched} searches the text: {fixed_text} matches only at the "
        f"position of the lookahead. Write {code(first.replacement, 120)} to search for all of them."
    )
    more = len(divided) - 1
    if more:
        message += f" In this condition, {more} more {'is' if more == 1 else 'are'} divided in the same way."
    edits = [condition.edit(file, alternatives.span, alternatives.replacement) for alternatives in divided]
    return report(_CODE, message, condition.source_span(first.span), *build_fixes(_CODE, *edits))
