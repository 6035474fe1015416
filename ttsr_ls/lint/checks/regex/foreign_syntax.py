"""Finds syntax of other regular-expression dialects that compiles with another meaning (spec R2)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.esregex.analysis.slips.copied_code import CopiedCode, word_between_slashes
from ttsr_ls.esregex.analysis.slips.dialects import END, START, ForeignConstruct, UselessEscape, foreign_syntax
from ttsr_ls.esregex.analysis.slips.doubled_backslashes import single_backslashes_if_certain
from ttsr_ls.esregex.tree.nodes import Pattern
from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding, Fix, Safety
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.conditions import ConditionWithSpan, conditions_with_spans
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

_FOREIGN = "foreign-regex-syntax"
_DOUBLED = "doubled-backslash"
_USELESS = "useless-escape"
_MAX_TEXT_LENGTH = 20_000
# Before the extension of a file, where no folder ends: `.*\\\\.py`.
_DOUBLED_DOT = re.compile(
    r"(?<=[*+\w)\]])(?<!\\)\\\\\.(?=(?:c|cpp|cs|css|go|html|java|jl|jsx?|json|kt|md|mdx|php|py|rb|rs|sh|sql|toml|tsx?|vue"
    r"|ya?ml)(?!\w))"
)
# What all that is found here has some of, and most conditions have nothing of.
_MARKS = ("\\", "[:", "{,", "/", "r'", 'r"', "re.compile(")


def check_foreign_syntax(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports each part of a condition that is written for another dialect."""
    for condition in conditions_with_spans(file, context.limits):
        source = condition.condition.pattern.source
        if condition.is_shorthand or not any(mark in source for mark in _MARKS):
            continue
        suggestion = condition.condition.cached_analysis(_undoubled)
        if suggestion is not None:
            yield _doubled(file, condition, suggestion)
            continue
        for dot in _DOUBLED_DOT.finditer(source):
            yield _doubled_dot(file, condition, Span(*dot.span()))
        slashed = condition.condition.cached_analysis(_word_in_slashes)
        if slashed is not None and _is_said_without_slashes(file, slashed):
            span = Span(0, len(source))
            yield _foreign(
                file, condition, ForeignConstruct(span, slashed.meant, slashed.means, slashed.pattern, is_guess=True)
            )
            continue
        for found in condition.condition.cached_analysis(_foreign_syntax):
            match found:
                case ForeignConstruct():
                    yield _foreign(file, condition, found)
                case UselessEscape():
                    yield _useless(file, condition, found)


def _undoubled(pattern: Pattern) -> str | None:
    return single_backslashes_if_certain(pattern.source)


def _word_in_slashes(pattern: Pattern) -> CopiedCode | None:
    return word_between_slashes(pattern.source)


def _foreign_syntax(pattern: Pattern) -> tuple[ForeignConstruct | UselessEscape, ...]:
    return tuple(foreign_syntax(pattern.source))


def _is_said_without_slashes(file: RuleFile, slashed: CopiedCode) -> bool:
    """Returns whether the rule's text has the word, and never at a slash: then it speaks of no folder."""
    description = file.fields.description or ""
    text = f"{description}\n{file.body.value[:_MAX_TEXT_LENGTH]}"
    word = re.escape(slashed.pattern)
    return re.search(rf"(?i)\b{word}", text) is not None and re.search(rf"(?i)/{word}\b|\b{word}/", text) is None


def _foreign(file: RuleFile, condition: ConditionWithSpan, foreign: ForeignConstruct) -> Finding:
    entry = entry_of(_FOREIGN)
    replacement = foreign.replacement
    if not condition.condition.flags.multiline:
        replacement = {START: "^", END: "$"}.get(replacement or "", replacement)
    source = code(condition.condition.pattern.source[foreign.span.start : foreign.span.end], 40)
    advice = "JavaScript has no such thing; say it in another way."
    if source.startswith(("`\\p{", "`\\P{")):
        advice = "It needs the flag `u`, which conditions cannot have; write the intended ranges, such as `[A-Z]`."
    if replacement is not None:
        advice = f"Write {code(replacement, 60)}."
    message = (
        f"{source} is {foreign.meant} in other languages; here it matches {foreign.means}, so the condition does not "
        f"match the intended text. {advice}"
    )
    safety = Safety.UNSAFE if foreign.is_guess else entry.fix_safety
    fixes = _fixes(file, condition, foreign.span, replacement, entry.fix_title, safety)
    return Finding(entry.code, entry.severity, message, condition.source_span(foreign.span), fixes)


def _doubled(file: RuleFile, condition: ConditionWithSpan, suggestion: str) -> Finding:
    entry = entry_of(_DOUBLED)
    message = (
        "Each backslash is doubled here, as in JSON and double quotes, and stays doubled: the condition matches only "
        f"text with a backslash. Write {code(suggestion, 60)}."
    )
    span = Span(0, len(condition.condition.pattern.source))
    fixes = _fixes(file, condition, span, suggestion, entry.fix_title, entry.fix_safety)
    return Finding(entry.code, entry.severity, message, condition.source_span(span), fixes)


def _doubled_dot(file: RuleFile, condition: ConditionWithSpan, span: Span) -> Finding:
    entry = entry_of(_DOUBLED)
    message = (
        "The backslash is doubled here, so this matches a backslash and any character before the extension, and the "
        "name of a file does not match. Write `\\.`."
    )
    fixes = _fixes(file, condition, span, "\\.", entry.fix_title, entry.fix_safety)
    return Finding(entry.code, entry.severity, message, condition.source_span(span), fixes)


def _useless(file: RuleFile, condition: ConditionWithSpan, useless: UselessEscape) -> Finding:
    entry = entry_of(_USELESS)
    message = (
        f"`\\{useless.letter}` is the letter {useless.letter}: the backslash has no effect. Remove it, or write the "
        "intended escape."
    )
    fixes = _fixes(file, condition, useless.span, useless.letter, entry.fix_title, entry.fix_safety)
    return Finding(entry.code, entry.severity, message, condition.source_span(useless.span), fixes)


def _fixes(
    file: RuleFile, condition: ConditionWithSpan, span: Span, replacement: str | None, title: str, safety: Safety
) -> tuple[Fix, ...]:
    edit = None if replacement is None else condition.edit(file, span, replacement)
    return () if edit is None else (Fix(title, (edit,), safety),)
