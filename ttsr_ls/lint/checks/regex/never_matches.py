"""Finds conditions that no text can match, and parts of conditions that take part in no match."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.esregex.analysis.effect.unmatchable_parts import UnmatchableParts, unmatchable_parts
from ttsr_ls.esregex.tree.backreferences import backreferences
from ttsr_ls.esregex.tree.nodes import Assertion, AssertionKind, Capture, Chars, Node, walk
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding, Fix
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.conditions import ConditionWithSpan, conditions_to_analyse
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

_WHOLE = "never-matches"
_PART = "unmatchable-part"


def check_never_matches(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports contradictions. Every finding is certain, because it is decided on the automaton."""
    for condition in conditions_to_analyse(file, context.limits):
        dead = condition.condition.cached_analysis(unmatchable_parts)
        if dead is None:
            continue
        if dead.whole:
            yield _whole_finding(file, condition, dead)
            continue
        for span in dead.spans:
            part = code(condition.written(span), 60)
            message = (
                f"{part} can never match: the text around it excludes it. Remove it, or fix the `^`, `$`, "
                "`\\b` or `[]` that excludes it."
            )
            yield report(_PART, message, condition.source_span(span), *_removal(file, condition, span))


def _removal(file: RuleFile, condition: ConditionWithSpan, span: Span) -> tuple[Fix, ...]:
    """Removes a part, with the `|` beside it if it is an alternative.

    A part with captures is kept if the pattern has backreferences: later groups would have other numbers.
    """
    pattern = condition.condition.pattern
    source, start, end = pattern.source, span.start, span.end
    captures = [node for node in walk(pattern.root) if isinstance(node, Capture) and start <= node.span.start < end]
    if captures and backreferences(pattern):
        return ()
    if source[start - 1 : start] == "|":
        start -= 1
    elif source[end : end + 1] == "|":
        end += 1
    return build_fixes(_PART, condition.edit(file, Span(start, end), ""))


def _whole_finding(file: RuleFile, condition: ConditionWithSpan, dead: UnmatchableParts) -> Finding:
    culprit = dead.culprit
    span = condition.text.span if culprit is None else condition.source_span(culprit.span)
    message = f"No text matches this condition, so it never fires. {_reason(condition, culprit)}"
    return report(_WHOLE, message, span, *_literal_fixes(file, condition, culprit))


def _literal_fixes(file: RuleFile, condition: ConditionWithSpan, culprit: Node | None) -> tuple[Fix, ...]:
    """Escapes `$` or `[]`, which was probably meant literally."""
    match culprit:
        case Assertion(kind=AssertionKind.INPUT_END):
            suggestion = "\\$"
        case Chars():
            suggestion = "\\[\\]"
        case _:
            return ()
    return build_fixes(_WHOLE, condition.edit(file, culprit.span, suggestion), title=f"Write {suggestion}")


def _reason(condition: ConditionWithSpan, culprit: Node | None) -> str:
    match culprit:
        # A pattern of Python may have `\A` and `\Z`, for which neither advice holds.
        case Assertion(kind=AssertionKind.INPUT_START):
            written = condition.written(culprit.span)
            advice = "; `(?m)` makes it match at each line" if written == "^" else ""
            return f"{code(written, 60)} is the start of the text, and the pattern requires text before it{advice}."
        case Assertion(kind=AssertionKind.INPUT_END):
            written = condition.written(culprit.span)
            advice = "; write `\\$` for a dollar sign" if written == "$" else ""
            return f"{code(written, 60)} is the end of the text, and the pattern requires text after it{advice}."
        case Assertion(kind=AssertionKind.WORD_BOUNDARY):
            return "`\\b` requires a word character on exactly one side; here both sides are equal."
        case Chars():
            return "`[]` matches no character at all; write `[^]` for any, or `\\[\\]` for the two brackets."
        case _:
            return "Its parts contradict each other at one position: check `^`, `$`, `\\b` and `\\B`."
