"""Finds syntax of other regular-expression dialects that compiles with another meaning (spec R2)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.esregex.analysis.slips.copied_code import CopiedCode, word_between_slashes
from ttsr_ls.esregex.analysis.slips.dialects import END, START, ForeignConstruct, UselessEscape, foreign_syntax
from ttsr_ls.esregex.analysis.slips.doubled_backslashes import single_backslashes_if_certain
from ttsr_ls.esregex.tree.nodes import Pattern
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding, Safety
from ttsr_ls.lint.limits import LintLimits
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.conditions import ConditionWithSpan, conditions_with_spans
from ttsr_ls.rules.condition import FLAG_GROUP
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
# Each finding of this check contains one of these; most conditions contain none.
_MARKS = ("\\", "[:", "{,", "/", "r'", 'r"', "re.compile(")


def check_foreign_syntax(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports each part of a condition that is written for another dialect."""
    return find_foreign_syntax(file, context.limits)


def find_foreign_syntax(file: RuleFile, limits: LintLimits, *, has_flags_key: bool = False) -> Iterator[Finding]:
    """Reports as `check_foreign_syntax` does. `has_flags_key` is true for rules with flags in a key of their own."""
    for condition in conditions_with_spans(file, limits):
        source = condition.condition.pattern.source
        if condition.is_shorthand or not any(mark in source for mark in _MARKS):
            continue
        halved = condition.condition.cached_analysis(_with_single_backslashes)
        if halved is not None:
            yield _doubled_finding(file, condition, halved)
            continue
        for dot in _DOUBLED_DOT.finditer(source):
            yield _doubled_dot_finding(file, condition, Span(*dot.span()))
        slashed = condition.condition.cached_analysis(_word_in_slashes)
        if slashed is not None and _text_has_word_without_slashes(file, slashed):
            span = Span(0, len(source))
            construct = ForeignConstruct(span, slashed.meant, slashed.means, slashed.pattern, is_guess=True)
            yield _foreign_finding(file, condition, construct, has_flags_key=has_flags_key)
            continue
        for found in condition.condition.cached_analysis(_foreign_syntax):
            match found:
                case ForeignConstruct():
                    yield _foreign_finding(file, condition, found, has_flags_key=has_flags_key)
                case UselessEscape():
                    yield _useless_escape_finding(file, condition, found)


def _with_single_backslashes(pattern: Pattern) -> str | None:
    return single_backslashes_if_certain(pattern.source)


def _word_in_slashes(pattern: Pattern) -> CopiedCode | None:
    return word_between_slashes(pattern.source)


def _foreign_syntax(pattern: Pattern) -> tuple[ForeignConstruct | UselessEscape, ...]:
    return tuple(foreign_syntax(pattern.source))


def _text_has_word_without_slashes(file: RuleFile, slashed: CopiedCode) -> bool:
    """Returns whether the rule's text contains the word, but never beside a slash, so that no folder is meant."""
    description = file.fields.description or ""
    text = f"{description}\n{file.body.value[:_MAX_TEXT_LENGTH]}"
    word = re.escape(slashed.pattern)
    return re.search(rf"(?i)\b{word}", text) is not None and re.search(rf"(?i)/{word}\b|\b{word}/", text) is None


def _foreign_finding(
    file: RuleFile, condition: ConditionWithSpan, foreign: ForeignConstruct, *, has_flags_key: bool
) -> Finding:
    replacement = foreign.replacement
    if not condition.condition.flags.multiline:
        replacement = {START: "^", END: "$"}.get(replacement or "", replacement)
    source = code(condition.condition.pattern.source[foreign.span.start : foreign.span.end], 40)
    advice = "JavaScript has no equivalent; write the condition in another way."
    if source.startswith(("`\\p{", "`\\P{")):
        advice = "It needs the flag `u`, which conditions cannot have; write the intended ranges, such as `[A-Z]`."
    if replacement is not None and has_flags_key and (group := FLAG_GROUP.match(replacement)) is not None:
        advice = f"Write {code(replacement[group.end() :], 60)}, and `{group[1]}` in `flags`."
        replacement = None
    elif replacement is not None:
        advice = f"Write {code(replacement, 60)}."
    message = (
        f"{source} is {foreign.meant} in other languages; here it matches {foreign.means}, so the condition does not "
        f"match the intended text. {advice}"
    )
    safety = Safety.UNSAFE if foreign.is_guess else None
    return condition.report(file, _FOREIGN, message, foreign.span, replacement, safety=safety)


def _doubled_finding(file: RuleFile, condition: ConditionWithSpan, suggestion: str) -> Finding:
    message = (
        "Each backslash is doubled here, as in JSON and double quotes, and stays doubled: the condition matches only "
        f"text with a backslash. Write {code(suggestion, 60)}."
    )
    span = Span(0, len(condition.condition.pattern.source))
    return condition.report(file, _DOUBLED, message, span, suggestion)


def _doubled_dot_finding(file: RuleFile, condition: ConditionWithSpan, span: Span) -> Finding:
    message = (
        "The backslash is doubled here, so this matches a backslash and any character before the extension, and the "
        "name of a file does not match. Write `\\.`."
    )
    return condition.report(file, _DOUBLED, message, span, "\\.")


def _useless_escape_finding(file: RuleFile, condition: ConditionWithSpan, useless: UselessEscape) -> Finding:
    message = (
        f"`\\{useless.letter}` is the letter {useless.letter}: the backslash has no effect. Remove it, or write the "
        "intended escape."
    )
    return condition.report(file, _USELESS, message, useless.span, useless.letter)
