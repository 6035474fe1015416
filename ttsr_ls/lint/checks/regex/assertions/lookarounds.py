"""Finds negative lookarounds that exclude nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from ttsr_ls.esregex.analysis.effect.redundant_lookarounds import (
    RedundancyReason,
    RedundantLookaround,
    redundant_lookarounds,
)
from ttsr_ls.esregex.tree.nodes import Pattern
from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding, Fix, Severity
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.conditions import ConditionWithSpan, conditions_to_analyse
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

_CODE = "ineffective-lookaround"


def check_lookarounds(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports each negative lookaround whose removal does not change what the condition matches."""
    for condition in conditions_to_analyse(file, context.limits):
        source = condition.condition.pattern.source
        if "(?!" in source or "(?<!" in source:
            for idle in condition.condition.cached_analysis(_redundant_looks):
                message = _message(source, idle)
                # There is nothing to fix then: the rule does what is meant.
                severity = Severity.INFO if idle.is_excluded_beyond else entry_of(_CODE).severity
                fixes = _fixes(file, condition, idle)
                yield Finding(_CODE, severity, message, condition.source_span(idle.look.span), fixes)


def _fixes(file: RuleFile, condition: ConditionWithSpan, idle: RedundantLookaround) -> tuple[Fix, ...]:
    """Writes what the message advises, where that is certain."""
    source, lookaround = condition.condition.pattern.source, idle.look
    body = source[lookaround.body.span.start : lookaround.body.span.end]
    adjacent = source[idle.neighbour.start : idle.neighbour.end]
    span = lookaround.span
    whole_span = Span(min(span.start, idle.neighbour.start), max(span.end, idle.neighbour.end))
    if source.startswith(adjacent, whole_span.end):
        whole_span = Span(
            whole_span.start, whole_span.end + len(adjacent)
        )  # The look stands between two halves of one run.
        is_adjacent = len(whole_span) == len(span) + 2 * len(idle.neighbour)
    else:
        is_adjacent = len(whole_span) == len(span) + len(idle.neighbour)
    match idle.reason:
        case RedundancyReason.NEIGHBOUR if idle.is_excluded_beyond and adjacent in ("$", "^"):
            return ()  # Without it, more is said of the anchor.
        case RedundancyReason.NEIGHBOUR if idle.is_excluded_beyond:
            title, text = "Remove the lookaround", ""
        case RedundancyReason.NEIGHBOUR:
            title, text = entry_of(_CODE).fix_title, f"(?!{body})" if lookaround.kind.is_behind else f"(?<!{body})"
        case RedundancyReason.REPEAT if not lookaround.kind.is_behind and is_adjacent and whole_span.end < len(source):
            title, span, text = entry_of(_CODE).fix_title, whole_span, f"(?!{adjacent}{_grouped(body)}){adjacent}"
        case RedundancyReason.GIVEN_BACK if is_adjacent and whole_span.end < len(source):
            title, span, text = entry_of(_CODE).fix_title, whole_span, f"(?!{adjacent}{_grouped(body)})"
        case RedundancyReason.LATER_START:
            title, text = "Let the match begin at a word", "\\b" + source[span.start : span.end]
        case _:
            return ()
    edit = condition.edit(file, span, text)
    return () if edit is None else (Fix(title, (edit,), entry_of(_CODE).fix_safety),)


def _redundant_looks(pattern: Pattern) -> tuple[RedundantLookaround, ...]:
    return tuple(redundant_lookarounds(pattern))


def _message(source: str, idle: RedundantLookaround) -> str:
    lookaround = idle.look
    source_text = source[lookaround.span.start : lookaround.span.end]
    adjacent = source[idle.neighbour.start : idle.neighbour.end]
    body = source[lookaround.body.span.start : lookaround.body.span.end]
    is_behind = lookaround.kind.is_behind
    display, neighbour = code(source_text, 40), code(adjacent, 40)
    match idle.reason:
        case RedundancyReason.NEIGHBOUR:
            place, other = ("behind", f"(?!{body})") if is_behind else ("in front", f"(?<!{body})")
            start = (
                f"{display} excludes nothing, because {neighbour} has to match at the same position, and that is never "
                f"{code(body, 40)}."
            )
            if idle.is_excluded_beyond:
                return f"{start} The pattern means the same without it."
            return f"{start} To exclude what stands {place}, write {code(other, 60)}."
        case RedundancyReason.REPEAT:
            replacement = f"{adjacent}(?<!{body})" if is_behind else f"(?!{adjacent}{_grouped(body)}){adjacent}"
            advice = (
                "Look at the start of the text with `^` instead, such as `^(?![\\s\\S]*…)`."
                if is_behind
                else f"To exclude it anywhere in what {neighbour} matches, write {code(replacement, 80)}."
            )
            return f"{display} excludes nothing, because {neighbour} can run over what it looks for. {advice}"
        case RedundancyReason.GIVEN_BACK:
            replacement = f"(?!{adjacent}{_grouped(body)})"
            return (
                f"{display} excludes nothing where there is a blank, because {neighbour} can match no blank, "
                "and then it "
                f"looks at the blank. Put the blanks into it: {code(replacement, 60)}."
            )
        case RedundancyReason.LATER_START:
            replacement = "\\b" + source_text
            return (
                f"{display} at the start excludes nothing, because a match can begin one character later. "
                f"Fix where the match begins, such as {code(replacement, 60)}."
            )
    assert_never(idle.reason)


def _grouped(body: str) -> str:
    return f"(?:{body})" if "|" in body else body
