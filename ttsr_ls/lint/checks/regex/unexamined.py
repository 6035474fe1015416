"""Reports conditions that are not checked, because a file has too many or too long ones."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.regex.conditions import unexamined_conditions
from ttsr_ls.lint.reporting import report
from ttsr_ls.rules.condition_limits import indexes_beyond_limits
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile

_CODE = "undecided-backtracking"


def check_unexamined(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports the first condition of a file that is not examined."""
    # Registration reports the conditions that are never matched.
    conditions = file.fields.conditions
    unmatched = {conditions[index].span for index in indexes_beyond_limits([text.value for text in conditions])}
    unexamined = [text for text in unexamined_conditions(file, context.limits) if text.span not in unmatched]
    if not unexamined:
        return
    number = len(unexamined)
    subject = (
        "This condition is not checked." if number == 1 else f"This condition and {number - 1:,} more are not checked."
    )
    message = (
        f"{subject} ttsr-ls checks up to {context.limits.conditions:,} conditions of a file, with up to "
        f"{context.limits.units:,} characters in all. Split the rule, or write shorter conditions."
    )
    yield report(_CODE, message, unexamined[0].span)
