"""Finds invisible characters, line ends, mixed ranges, and words in classes of conditions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from ttsr_ls.esregex.analysis.slips.classes import MixedRange, WordsInClass, invisible_units, odd_classes
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.conditions import ConditionWithSpan, conditions_with_spans
from ttsr_ls.lint.reporting import report
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

_PHRASE_BEFORE = re.compile(r"(?:^|[\s(|?:])[A-Za-z']+ [A-Za-z']+,?\Z")
_PHRASE_AFTER = re.compile(r"[A-Za-z']+(?:[ |)]|\Z)")
_PHRASE = 200
"""How many characters around a blank are searched for the words of a phrase. Phrases are short; a long text has many
blanks."""
_BREAK = re.compile(r"\n|(?<=[|(]) | (?=[|)])")


def check_characters(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports invisible characters, ranges over different kinds of characters, and words in classes."""
    for condition in conditions_with_spans(file, context.limits):
        source = condition.condition.pattern.source
        for span in () if source.isprintable() else invisible_units(source):
            place = condition.source_span(span)
            # An escape of YAML is visible in the file, and `mutating-escape` reports it.
            if file.text[place.start : place.end] == source[span.start]:
                yield _invisible_finding(file, condition, span)
        for span in _line_ends(file, condition):
            yield _line_end_finding(condition, span)
        for odd in condition.condition.cached_items(odd_classes) if "[" in source else ():
            match odd:
                case MixedRange():
                    yield _mixed_range_finding(file, condition, odd)
                case WordsInClass():
                    yield _words_finding(file, condition, odd)


def _invisible_finding(file: RuleFile, condition: ConditionWithSpan, span: Span) -> Finding:
    unit = condition.condition.pattern.source[span.start]
    name = unicodedata.name(unit, "a control character").lower()
    replacement = f"\\u{ord(unit):04x}"
    message = (
        f"This is an invisible character, U+{ord(unit):04X} ({name}), which the text must contain, too. Remove it, or "
        f"write {code(replacement, 10)} if it is meant."
    )
    return condition.report(file, "invisible-character", message, span, replacement)


def _line_ends(file: RuleFile, condition: ConditionWithSpan) -> Iterator[Span]:
    """Finds the line ends of a scalar over several lines that YAML made a part of the pattern by accident.

    A line end that became a blank is intended between two words of a phrase. It is not intended beside `|` or a
    parenthesis, nor between two patterns.
    """
    source = condition.condition.pattern.source
    if condition.is_shorthand or "\n" not in file.text[condition.text.span.start : condition.text.span.end]:
        return
    spans = [
        span for match in re.finditer(r"[\n ]", source) if _is_line_end(file, condition, span := Span(*match.span()))
    ]
    certain = [span for span in spans if _BREAK.match(source, span.start) is not None]
    # If the author only wrapped the pattern, one finding is enough.
    yield from certain or [span for span in spans if not _is_in_prose(source, span)][:1]


def _is_line_end(file: RuleFile, condition: ConditionWithSpan, span: Span) -> bool:
    place = condition.source_span(span)
    return "\n" in file.text[place.start : place.end] or file.text[place.start : place.end] == "\r"


def _is_in_prose(source: str, span: Span) -> bool:
    """Returns whether a blank stands between two words of a phrase, so that it may be intended in a wrapped line."""
    before, after = source[max(0, span.start - _PHRASE) : span.start], source[span.end : span.end + _PHRASE]
    return _PHRASE_BEFORE.search(before) is not None and _PHRASE_AFTER.match(after) is not None


def _line_end_finding(condition: ConditionWithSpan, span: Span) -> Finding:
    is_kept = condition.condition.pattern.source[span.start] == "\n"
    became = "a line end" if is_kept else "a blank"
    advice = " If a line end is meant, write `\\n`." if is_kept else ""
    message = (
        f"This line end is a part of the pattern, as {became}, and the text must contain it. Write the pattern on one "
        f"line, or each alternative as an item of a list.{advice}"
    )
    return report("invisible-character", message, condition.source_span(span))


def _mixed_range_finding(file: RuleFile, condition: ConditionWithSpan, odd: MixedRange) -> Finding:
    written = code(condition.written(odd.span), 10)
    message = (
        f"The range {written} also contains {code(odd.extra, 20)}, which lie between its ends. "
        f"Write {code(odd.replacement, 20)}."
    )
    return condition.report(file, "suspicious-range", message, odd.span, odd.replacement)


def _words_finding(file: RuleFile, condition: ConditionWithSpan, odd: WordsInClass) -> Finding:
    kind = "one other character" if odd.is_negated else "one character out of these"
    is_one = len(odd.words) == 1
    alternative = odd.words[0] if is_one else f"(?:{'|'.join(odd.words)})"
    replacement = None if odd.is_negated else alternative
    excluded = f"(?!{'|'.join(odd.words)})"
    suggestion = "the word" if is_one else "one of the words"
    advice = f"Write {code(excluded, 60)} to exclude it."
    if replacement is not None:
        advice = f"Write {code(replacement, 60)} for {suggestion}."
    message = f"{code(condition.written(odd.span), 60)} matches {kind}, not {suggestion}. {advice}"
    return condition.report(file, "words-in-class", message, odd.span, replacement)
