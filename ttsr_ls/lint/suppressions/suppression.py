"""Removes the findings that a rule file suppresses, and reports directives without an effect."""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.lint.catalogue import CATALOGUE, entry_of, find
from ttsr_ls.lint.finding import Edit, Finding, Fix, Safety
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
    read = suppression_directives(file)
    if not read:
        return tuple(findings)
    valid = [directive for directive in read if isinstance(directive, SuppressionDirective)]
    comments = {directive.span for directive in read}
    # A directive is a comment on purpose, wherever it stands.
    suggestion = [
        finding for finding in findings if not (finding.code == "comment-removed" and finding.span in comments)
    ]
    spans: set[Span] = set()
    kept_findings = _uncovered((*suggestion, *_invalid(read)), valid, spans)
    kept_findings += _uncovered(_unused(file, valid, spans, asked_for_unused=False), valid, spans)
    kept_findings += _unused(file, valid, spans, asked_for_unused=True)
    return tuple(kept_findings)


def _uncovered(findings: Iterable[Finding], valid: list[SuppressionDirective], spans: set[Span]) -> list[Finding]:
    """The findings that are not covered; the names of codes that cover some are added to `spans`."""
    kept_findings = []
    names: dict[str, list[tuple[Span, Span]]] = {}
    for directive in valid:
        for name in directive.codes:
            names.setdefault(name.code, []).append((directive.area, name.span))
    for finding in findings:
        start = finding.span.start
        covering = {span for area, span in names.get(finding.code, ()) if area.contains(start)}
        spans |= covering
        if not covering:
            kept_findings.append(finding)
    return kept_findings


def _invalid(directives: Iterable[SuppressionDirective | MalformedDirective]) -> list[Finding]:
    """Comments that are no directives, and codes that do not exist."""
    entry = entry_of(_INVALID)
    findings = []
    for directive in directives:
        if isinstance(directive, MalformedDirective):
            findings.append(Finding(_INVALID, entry.severity, directive.message, directive.span))
        else:
            findings += [_unknown(name) for name in directive.codes if find(name.code) is None]
    return findings


def _unknown(name: CodeName) -> Finding:
    suggestion = nearest_word(name.code, (entry.code for entry in CATALOGUE))
    display = name.code if len(name.code) <= 40 else f"{name.code[:39]}…"
    message = f"No finding has the code `{display}`, so no finding is suppressed."
    fixes: tuple[Fix, ...] = ()
    if suggestion is not None:
        message += f" Is `{suggestion}` meant?"
        fixes = (Fix(f"Change the code to {suggestion}", (Edit(name.span, suggestion),), Safety.UNSAFE),)
    return Finding(_INVALID, entry_of(_INVALID).severity, message, name.span, fixes)


def _unused(
    file: RuleFile, valid: list[SuppressionDirective], spans: set[Span], *, asked_for_unused: bool
) -> list[Finding]:
    """Codes that silence nothing: those that ask for `unused-suppression` itself, or all others."""
    findings = []
    lines = LineIndex(file.text)
    for directive in valid:
        idle = [
            name
            for name in directive.codes
            if name.span not in spans and find(name.code) is not None and (name.code == _UNUSED) is asked_for_unused
        ]
        idle_spans = {name.span for name in idle}
        fix = _removal(lines, directive, [name for name in directive.codes if name.span not in idle_spans])
        findings += [_idle(name, fix) for name in idle]
    return findings


def _idle(name: CodeName, fix: Fix) -> Finding:
    message = f"There is no `{name.code}` here, so this comment has no effect. Remove it."
    return Finding(_UNUSED, entry_of(_UNUSED).severity, message, name.span, (fix,))


def _removal(lines: LineIndex, directive: SuppressionDirective, codes: list[CodeName]) -> Fix:
    title = entry_of(_UNUSED).fix_title
    if codes:
        return Fix(title, (Edit(directive.codes_span, ", ".join(name.code for name in codes)),), Safety.SAFE)
    return Fix("Remove the comment", (Edit(_extend_to_line(lines, directive.span), ""),), Safety.SAFE)


def _extend_to_line(lines: LineIndex, comment: Span) -> Span:
    """A comment with its line where it stands alone on it, else with the blanks before it."""
    text = lines.text
    first, last = lines.position(comment.start).line, lines.position(comment.end).line
    start, end = lines.line_span(first).start, lines.line_span(last).end
    if text[start : comment.start].strip() or text[comment.end : end].strip():
        blanks = len(text[start : comment.start]) - len(text[start : comment.start].rstrip(" \t"))
        return Span(comment.start - (0 if text[comment.end : end].strip() else blanks), comment.end)
    return Span(start, lines.line_span(last + 1).start if last + 1 < lines.line_count else len(text))
