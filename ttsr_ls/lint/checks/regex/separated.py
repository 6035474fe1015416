"""Finds alternatives whose separators are part of the pattern."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ttsr_ls.esregex.analysis.slips.copied_code import copied_code
from ttsr_ls.esregex.analysis.slips.separators import LiteralSeparators, alternations_with_blanks, names_with_separators
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding, Safety
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.conditions import ConditionWithSpan, conditions_to_analyse
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile

_CODE = "separator-in-pattern"


def check_separated(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports blanks around `|`, and lists of names with commas."""
    for condition in conditions_to_analyse(file, context.limits):
        source = condition.condition.pattern.source
        if copied_code(source) is not None:
            continue
        if " | " in source:
            for separators in islice(
                alternations_with_blanks(condition.condition.pattern), context.limits.findings_of_a_kind
            ):
                mistake = "The blanks around `|` are a part of the pattern"
                message = f"{mistake}: {code(separators.part, 40)} matches only with its blanks."
                is_whole = separators.span == condition.condition.pattern.root.span
                if is_whole and _matches_commands(registration):
                    yield _pipe_finding(file, condition, separators, message)
                else:
                    yield _finding(file, condition, separators, message)
        elif "," in source or " OR " in source:
            literal_separators = names_with_separators(condition.condition.pattern)
            if literal_separators is not None:
                mistake = "The condition matches this exact text, not one of several names."
                yield _finding(file, condition, literal_separators, mistake)


def _matches_commands(registration: Registration) -> bool:
    """Returns whether the rule is about shell commands, in which ` | ` is usually a pipe and not a separator."""
    scope = None if registration.rule is None else registration.rule.scope
    return scope is not None and any(tool.tool == "bash" for tool in scope.tools)


def _pipe_finding(file: RuleFile, condition: ConditionWithSpan, separators: LiteralSeparators, mistake: str) -> Finding:
    escaped, alternatives = code(separators.escaped, 80), code(separators.replacement, 80)
    message = f"{mistake} Write {escaped} for a pipe in a command, {alternatives} for alternatives."
    title = "Match the character |"
    return condition.report(
        file, _CODE, message, separators.span, separators.escaped, title=title, safety=Safety.UNSAFE
    )


def _finding(file: RuleFile, condition: ConditionWithSpan, separators: LiteralSeparators, mistake: str) -> Finding:
    message = f"{mistake} Write {code(separators.replacement, 80)}."
    return condition.report(file, _CODE, message, separators.span, separators.replacement)
