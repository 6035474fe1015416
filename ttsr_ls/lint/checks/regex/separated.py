"""Finds alternatives whose separators are part of the pattern."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ttsr_ls.esregex.analysis.slips.copied_code import copied_code
from ttsr_ls.esregex.analysis.slips.separators import LiteralSeparators, alternations_with_blanks, names_with_separators
from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding, Fix, Safety
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.conditions import ConditionWithSpan, conditions_to_analyse
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile

_CODE = "separator-in-pattern"


def check_separated(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports blanks around `|`, and lists of names with commas."""
    for placed in conditions_to_analyse(file, context.limits):
        source = placed.condition.pattern.source
        if copied_code(source) is not None:
            continue
        if " | " in source:
            for found in islice(alternations_with_blanks(placed.condition.pattern), context.limits.findings_of_a_kind):
                what = "The blanks around `|` are a part of the pattern"
                message = f"{what}: {code(found.part, 40)} matches only with its blanks."
                is_whole = found.span == placed.condition.pattern.root.span
                if is_whole and _matches_commands(registration):
                    yield _pipe_finding(file, placed, found, message)
                else:
                    yield _finding(file, placed, found, message)
        elif "," in source or " OR " in source:
            listed = names_with_separators(placed.condition.pattern)
            if listed is not None:
                what = "The condition matches this exact text, not one of several names."
                yield _finding(file, placed, listed, what)


def _matches_commands(registration: Registration) -> bool:
    """Returns whether the rule is about shell commands, in which ` | ` is usually a pipe and not a separator."""
    scope = None if registration.rule is None else registration.rule.scope
    return scope is not None and any(tool.tool == "bash" for tool in scope.tools)


def _pipe_finding(file: RuleFile, placed: ConditionWithSpan, found: LiteralSeparators, what: str) -> Finding:
    entry = entry_of(_CODE)
    escaped, alternatives = code(found.escaped, 80), code(found.replacement, 80)
    message = f"{what} Write {escaped} for a pipe in a command, {alternatives} for alternatives."
    edit = placed.edit(file, found.span, found.escaped)
    fixes = () if edit is None else (Fix("Match the character |", (edit,), Safety.UNSAFE),)
    return Finding(entry.code, entry.severity, message, placed.source_span(found.span), fixes)


def _finding(file: RuleFile, placed: ConditionWithSpan, found: LiteralSeparators, what: str) -> Finding:
    entry = entry_of(_CODE)
    message = f"{what} Write {code(found.replacement, 80)}."
    edit = placed.edit(file, found.span, found.replacement)
    fixes = () if edit is None else (Fix(entry.fix_title, (edit,), entry.fix_safety),)
    return Finding(entry.code, entry.severity, message, placed.source_span(found.span), fixes)
