"""Removes the findings that a rule file suppresses, and reports directives without an effect."""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.lint.catalogue import CATALOGUE, entry_of, find
from ttsr_ls.lint.finding import Edit, Finding, Fix, Safety
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.reporting import guess, report
from ttsr_ls.lint.suppressions.directives import (
    CodeName,
    MalformedDirective,
    SuppressionDirective,
    suppression_directives,
)
from ttsr_ls.syntax.nearest_word import nearest_word
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import LineIndex, Span

_UNUSED = "unused-suppression"
_INVALID = "invalid-suppression"


def without_suppressed(findings: Iterable[Finding], file: RuleFile) -> tuple[Finding, ...]:
    """Returns the findings that no directive covers, and those about the directives themselves."""
    directives = suppression_directives(file)
    if not directives:
        return tuple(findings)
    valid = [directive for directive in directives if isinstance(directive, SuppressionDirective)]
    comments = {directive.span for directive in directives}
    # A directive is a comment on purpose.
    relevant = [finding for finding in findings if not (finding.code == "comment-removed" and finding.span in comments)]
    used: set[Span] = set()
    kept_findings = _uncovered((*relevant, *_invalid(directives)), valid, used)
    # A directive may suppress `unused-suppression`, too, so those directives are judged last.
    kept_findings += _uncovered(_unused(file, valid, used, names_unused=False), valid, used)
    kept_findings += _unused(file, valid, used, names_unused=True)
    return tuple(kept_findings)


def _uncovered(findings: Iterable[Finding], valid: list[SuppressionDirective], used: set[Span]) -> list[Finding]:
    """Returns the findings that no directive covers. Adds the spans of codes that cover a finding to `used`."""
    kept_findings = []
    names: dict[str, list[tuple[Span, Span]]] = {}
    for directive in valid:
        for name in directive.codes:
            names.setdefault(name.code, []).append((directive.area, name.span))
    for finding in findings:
        start = finding.span.start
        covering = {span for area, span in names.get(finding.code, ()) if area.contains(start)}
        used |= covering
        if not covering:
            kept_findings.append(finding)
    return kept_findings


def _invalid(directives: Iterable[SuppressionDirective | MalformedDirective]) -> list[Finding]:
    """Reports malformed directives, and codes that do not exist."""
    findings = []
    for directive in directives:
        if isinstance(directive, MalformedDirective):
            findings.append(report(_INVALID, directive.message, directive.span))
        else:
            findings += [_unknown(name) for name in directive.codes if find(name.code) is None]
    return findings


def _unknown(name: CodeName) -> Finding:
    suggestion = nearest_word(name.code, (entry.code for entry in CATALOGUE))
    message = f"No finding has the code {code(name.code, 40)}, so no finding is suppressed."
    fixes: tuple[Fix, ...] = ()
    if suggestion is not None:
        message += f" Is `{suggestion}` meant?"
        fixes = (guess(f"Change the code to {suggestion}", name.span, suggestion),)
    return report(_INVALID, message, name.span, *fixes)


def _unused(file: RuleFile, valid: list[SuppressionDirective], used: set[Span], *, names_unused: bool) -> list[Finding]:
    """Reports codes that suppress nothing: either those that are `unused-suppression` itself, or all others."""
    findings = []
    lines = LineIndex(file.text)
    for directive in valid:
        unused = [
            name
            for name in directive.codes
            if name.span not in used and find(name.code) is not None and (name.code == _UNUSED) is names_unused
        ]
        unused_spans = {name.span for name in unused}
        fix = _removal(lines, directive, [name for name in directive.codes if name.span not in unused_spans])
        for name in unused:
            message = f"There is no finding `{name.code}` here, so this comment has no effect. Remove it."
            findings.append(report(_UNUSED, message, name.span, fix))
    return findings


def _removal(lines: LineIndex, directive: SuppressionDirective, codes: list[CodeName]) -> Fix:
    title = entry_of(_UNUSED).fix_title
    if codes:
        return Fix(title, (Edit(directive.codes_span, ", ".join(name.code for name in codes)),), Safety.SAFE)
    return Fix("Remove the comment", (Edit(_extend_to_line(lines, directive.span), ""),), Safety.SAFE)


def _extend_to_line(lines: LineIndex, comment: Span) -> Span:
    """Returns a comment with its line if it stands alone there, else with the blanks before it."""
    text = lines.text
    first, last = lines.position(comment.start).line, lines.position(comment.end).line
    start, end = lines.line_span(first).start, lines.line_span(last).end
    if text[start : comment.start].strip() or text[comment.end : end].strip():
        blanks = len(text[start : comment.start]) - len(text[start : comment.start].rstrip(" \t"))
        return Span(comment.start - (0 if text[comment.end : end].strip() else blanks), comment.end)
    return Span(start, lines.line_span(last + 1).start if last + 1 < lines.line_count else len(text))
