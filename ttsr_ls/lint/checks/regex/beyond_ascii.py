"""Finds conditions that treat non-ASCII words or characters incorrectly."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.esregex.analysis.slips.beyond_ascii import (
    NonAsciiBoundary,
    SplitClass,
    SplitRepeat,
    non_ascii_boundaries,
    split_classes,
    split_repeats,
)
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.conditions import ConditionWithSpan, conditions_with_spans
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile

_BOUNDARY = "ascii-word-boundary"
_SPLIT = "split-character"


def check_beyond_ascii(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports boundaries next to non-ASCII letters, and classes and quantifiers of halves of characters."""
    for condition in conditions_with_spans(file, context.limits):
        if condition.condition.source.isascii():
            continue
        for boundary in non_ascii_boundaries(condition.condition.pattern):
            yield _boundary_finding(file, condition, boundary)
        for split in split_classes(condition.condition.pattern):
            yield _split_class_finding(file, condition, split)
        for repeat in split_repeats(condition.condition.pattern):
            yield _split_repeat_finding(file, condition, repeat)


def _boundary_finding(file: RuleFile, condition: ConditionWithSpan, boundary: NonAsciiBoundary) -> Finding:
    side, replacement = ("before", "(?<!\\S)") if boundary.before else ("after", "(?=[\\s.,;:!?])")
    message = (
        f"`\\b` only knows the letters a to z, digits and `_`. {boundary.letter} is none of them, so the text "
        f"must have one of those {side} it, and the word alone is not found. Write {code(replacement, 30)} instead."
    )
    return condition.report(file, _BOUNDARY, message, boundary.span, replacement, title=f"Write {replacement}")


def _split_class_finding(file: RuleFile, condition: ConditionWithSpan, split: SplitClass) -> Finding:
    replacement = None if split.members is None else f"(?:{'|'.join(split.members)})"
    advice = "Write an alternative for each character." if replacement is None else f"Write {code(replacement, 60)}."
    message = (
        f"{split.character} is two UTF-16 units, and a class matches one unit: this class matches a half of the "
        f"character, which other characters share. {advice}"
    )
    return condition.report(file, _SPLIT, message, split.span, replacement)


def _split_repeat_finding(file: RuleFile, condition: ConditionWithSpan, split: SplitRepeat) -> Finding:
    replacement = f"(?:{split.character}){split.quantifier}"
    message = (
        f"{split.character} is two UTF-16 units, and {code(split.quantifier, 20)} applies only to the second, which no "
        f"text has alone. Write {code(replacement, 40)}."
    )
    return condition.report(file, _SPLIT, message, split.span, replacement, title="Group the character")
