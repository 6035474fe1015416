"""Finds negative lookarounds that exclude nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from ttsr_ls.esregex.analysis.effect.redundant_lookarounds import (
    RedundancyReason,
    RedundantLookaround,
    redundant_lookarounds,
)
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding, Fix, Severity
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.conditions import ConditionWithSpan, conditions_to_analyse
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

_CODE = "ineffective-lookaround"


def check_lookarounds(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports each negative lookaround whose removal does not change what the condition matches."""
    for condition in conditions_to_analyse(file, context.limits):
        source = condition.condition.pattern.source
        if "(?!" in source or "(?<!" in source:
            for redundant in condition.condition.cached_items(redundant_lookarounds):
                message = _message(source, redundant)
                # The rule works as intended then, so there is nothing to repair.
                severity = Severity.INFO if redundant.is_excluded_beyond else None
                fixes = _fixes(file, condition, redundant)
                yield report(
                    _CODE, message, condition.source_span(redundant.lookaround.span), *fixes, severity=severity
                )


def _fixes(file: RuleFile, condition: ConditionWithSpan, redundant: RedundantLookaround) -> tuple[Fix, ...]:
    """Returns the fix that the message advises, if it is certain."""
    source, lookaround = condition.condition.pattern.source, redundant.lookaround
    body = source[lookaround.body.span.start : lookaround.body.span.end]
    adjacent = source[redundant.neighbour.start : redundant.neighbour.end]
    span = lookaround.span
    whole_span = Span(min(span.start, redundant.neighbour.start), max(span.end, redundant.neighbour.end))
    if source.startswith(adjacent, whole_span.end):
        # The lookaround stands between two halves of one run.
        whole_span = Span(whole_span.start, whole_span.end + len(adjacent))
        is_adjacent = len(whole_span) == len(span) + 2 * len(redundant.neighbour)
    else:
        is_adjacent = len(whole_span) == len(span) + len(redundant.neighbour)
    title: str | None = None
    match redundant.reason:
        case RedundancyReason.NEIGHBOUR if redundant.is_excluded_beyond and adjacent in ("$", "^"):
            return ()  # Removing the lookaround would cause a finding about the anchor.
        case RedundancyReason.NEIGHBOUR if redundant.is_excluded_beyond:
            title, text = "Remove the lookaround", ""
        case RedundancyReason.NEIGHBOUR:
            text = f"(?!{body})" if lookaround.kind.is_behind else f"(?<!{body})"
        case RedundancyReason.REPEAT if not lookaround.kind.is_behind and is_adjacent and whole_span.end < len(source):
            span, text = whole_span, f"(?!{adjacent}{_group_alternatives(body)}){adjacent}"
        case RedundancyReason.GIVEN_BACK if is_adjacent and whole_span.end < len(source):
            span, text = whole_span, f"(?!{adjacent}{_group_alternatives(body)})"
        case RedundancyReason.LATER_START:
            title, text = "Let the match begin at a word", "\\b" + source[span.start : span.end]
        case _:
            return ()
    return build_fixes(_CODE, condition.edit(file, span, text), title=title)


def _message(source: str, redundant: RedundantLookaround) -> str:
    lookaround = redundant.lookaround
    source_text = source[lookaround.span.start : lookaround.span.end]
    adjacent = source[redundant.neighbour.start : redundant.neighbour.end]
    body = source[lookaround.body.span.start : lookaround.body.span.end]
    is_behind = lookaround.kind.is_behind
    display, neighbour = code(source_text, 40), code(adjacent, 40)
    match redundant.reason:
        case RedundancyReason.NEIGHBOUR:
            place, other = ("behind", f"(?!{body})") if is_behind else ("in front", f"(?<!{body})")
            start = (
                f"{display} excludes nothing, because {neighbour} has to match at the same position, and that is never "
                f"{code(body, 40)}."
            )
            if redundant.is_excluded_beyond:
                return f"{start} The pattern means the same without it."
            return f"{start} To exclude what stands {place}, write {code(other, 60)}."
        case RedundancyReason.REPEAT:
            replacement = (
                f"{adjacent}(?<!{body})" if is_behind else f"(?!{adjacent}{_group_alternatives(body)}){adjacent}"
            )
            advice = (
                "Look at the start of the text with `^` instead, such as `^(?![\\s\\S]*…)`."
                if is_behind
                else f"To exclude it anywhere in what {neighbour} matches, write {code(replacement, 80)}."
            )
            return f"{display} excludes nothing, because {neighbour} can run over what it looks for. {advice}"
        case RedundancyReason.GIVEN_BACK:
            replacement = f"(?!{adjacent}{_group_alternatives(body)})"
            return (
                f"{display} excludes nothing after a blank, because {neighbour} can match no blank, and the lookahead "
                f"then tests the blank. Put the blanks into the lookahead: {code(replacement, 60)}."
            )
        case RedundancyReason.LATER_START:
            replacement = "\\b" + source_text
            return (
                f"{display} at the start excludes nothing, because a match can begin one character later. "
                f"Fix where the match begins, such as {code(replacement, 60)}."
            )
    assert_never(redundant.reason)


def _group_alternatives(body: str) -> str:
    return f"(?:{body})" if "|" in body else body
