"""Checks patterns: regular expressions as Python compiles them, and plain texts that look like regular expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.lint.dialect_checks.hookify.line_anchors import check_line_anchors
from ttsr_ls.lint.dialect_checks.hookify.paths.file_paths import check_path
from ttsr_ls.lint.dialect_checks.hookify.paths.impossible_paths import check_impossible_path
from ttsr_ls.lint.dialect_checks.hookify.python_regex import check_regex
from ttsr_ls.lint.finding import Finding, Fix, Severity
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.reporting import guess, report
from ttsr_ls.syntax.hookify.python_pattern import MAX_COMPILED, compile_problem
from ttsr_ls.syntax.hookify.rule_file import HookifyCondition, HookifyFile
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

_KIND = "hookify-pattern-kind"
_MAX_CHECKED = 50
# Constructs that commands, code and paths rarely contain: escapes of classes, `.*`, anchors, groups, alternatives.
_REGEX = re.compile(
    r"\\[dDsSwWbBAZ.(){}+*?|^$/-]|\\\[|\\\]|\.[*+](?!\w)|\.\*|\(\?[:=!<Pi]|\[\^|\[[a-z]-[a-z]|\A\^|[\w)\]]\$\Z|[\w.)]\|[\w.(]|\w\*\Z|[\w)\]]\{\d"
)
_GLOB = re.compile(r"\*\*/|/\*\*|(?:\A|/)\*\.\w+\Z|/\*\.\w|\*\.\{")
_LITERAL = frozenset(("contains", "equals", "not_contains", "starts_with", "ends_with"))
_MAX_SHOWN = 60


def check_patterns(file: RuleFile, hookify_file: HookifyFile, explanations: frozenset[Span]) -> Iterator[Finding]:
    """Reports patterns of the first conditions of a file that do not match as intended.

    Skips values at the spans in `explanations`: other findings report that hookify reads them differently.
    """
    remaining = MAX_COMPILED
    for condition in hookify_file.conditions[:_MAX_CHECKED]:
        text = condition.pattern_text
        if text is None or not text.value or text.span in explanations:
            continue
        if condition.operator == "regex_match":
            remaining -= len(text.value)
            if remaining < 0:
                message = (
                    "The patterns of this rule are too long to be checked. Write shorter patterns, or split the rule."
                )
                yield report("undecided-backtracking", message, text.span)
                return
            yield from check_regex(file, hookify_file, condition)
            yield from check_line_anchors(hookify_file, condition)
            if condition.field == "file_path":
                yield from check_impossible_path(condition)
        elif condition.operator in _LITERAL:
            yield from _literal(condition)
        yield from check_path(condition)
    yield from _contradictions(hookify_file)


def _literal(condition: HookifyCondition) -> Iterator[Finding]:
    pattern = condition.pattern
    assert condition.pattern_text is not None
    match = _GLOB.search(pattern) or _REGEX.search(pattern)
    if match is None or len(pattern) > MAX_COMPILED:
        return
    is_glob = _GLOB.search(pattern) is not None
    label = "a file glob" if is_glob else "a regular expression"
    effect = "is true for nearly every text" if condition.operator == "not_contains" else "matches hardly any text"
    message = (
        f"`{condition.operator}` compares texts character by character, and {code(pattern, _MAX_SHOWN)} is written as "
        f"{label}, so the condition {effect}. "
    )
    if condition.operator == "not_contains":
        message += "Write one condition with `not_contains` for each text, or `regex_match` with `(?!…)`."
        yield report(_KIND, message, condition.pattern_text.span, severity=Severity.WARNING)
        return
    message += "Use `regex_match`, or write the text itself."
    fixes: tuple[Fix, ...] = ()
    if condition.operator == "contains" and condition.operator_text is not None and not is_glob:
        fixes = (guess("Use regex_match", condition.operator_text.span, "regex_match"),)
    is_valid = is_glob or "\\" in pattern or compile_problem(pattern) is None
    if is_valid:
        yield report(_KIND, message, condition.pattern_text.span, *fixes, severity=Severity.WARNING)


def _contradictions(file: HookifyFile) -> Iterator[Finding]:
    """Reports a text that one condition requires and another one forbids."""
    conditions = file.conditions[:_MAX_CHECKED]
    for forbidding in conditions:
        if forbidding.operator != "not_contains" or not forbidding.pattern or forbidding.pattern_text is None:
            continue
        for requiring in conditions:
            if (
                requiring.field == forbidding.field
                and requiring.operator in _LITERAL - {"not_contains"}
                and forbidding.pattern in requiring.pattern
            ):
                message = (
                    f"Another condition requires {code(requiring.pattern, _MAX_SHOWN)}, which contains this text. All "
                    "conditions must hold, so the rule never fires."
                )
                yield report("hookify-never-matches", message, forbidding.pattern_text.span)
                return
