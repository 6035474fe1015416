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
    comments = {each.span for each in read}
    # A directive is a comment on purpose, wherever it stands.
    meant = [each for each in findings if not (each.code == "comment-removed" and each.span in comments)]
    used: set[Span] = set()
    kept = _uncovered((*meant, *_invalid(read)), valid, used)
    kept += _uncovered(_unused(file, valid, used, asked_for_unused=False), valid, used)
    kept += _unused(file, valid, used, asked_for_unused=True)
    return tuple(kept)


def _uncovered(findings: Iterable[Finding], valid: list[SuppressionDirective], used: set[Span]) -> list[Finding]:
    """The findings that are not covered; the names of codes that cover some are added to `used`."""
    kept = []
    names: dict[str, list[tuple[Span, Span]]] = {}
    for directive in valid:
        for name in directive.codes:
            names.setdefault(name.code, []).append((directive.area, name.span))
    for finding in findings:
        start = finding.span.start
        covering = {span for area, span in names.get(finding.code, ()) if area.contains(start)}
        used |= covering
        if not covering:
            kept.append(finding)
    return kept


def _invalid(read: Iterable[SuppressionDirective | MalformedDirective]) -> list[Finding]:
    """Comments that are no directives, and codes that do not exist."""
    entry = entry_of(_INVALID)
    found = []
    for each in read:
        if isinstance(each, MalformedDirective):
            found.append(Finding(_INVALID, entry.severity, each.message, each.span))
        else:
            found += [_unknown(name) for name in each.codes if find(name.code) is None]
    return found


def _unknown(name: CodeName) -> Finding:
    meant = nearest_word(name.code, (entry.code for entry in CATALOGUE))
    shown = name.code if len(name.code) <= 40 else f"{name.code[:39]}…"
    message = f"No finding has the code `{shown}`, so no finding is suppressed."
    fixes: tuple[Fix, ...] = ()
    if meant is not None:
        message += f" Is `{meant}` meant?"
        fixes = (Fix(f"Change the code to {meant}", (Edit(name.span, meant),), Safety.UNSAFE),)
    return Finding(_INVALID, entry_of(_INVALID).severity, message, name.span, fixes)


def _unused(
    file: RuleFile, valid: list[SuppressionDirective], used: set[Span], *, asked_for_unused: bool
) -> list[Finding]:
    """Codes that silence nothing: those that ask for `unused-suppression` itself, or all others."""
    found = []
    lines = LineIndex(file.text)
    for directive in valid:
        idle = [
            name
            for name in directive.codes
            if name.span not in used and find(name.code) is not None and (name.code == _UNUSED) is asked_for_unused
        ]
        idle_spans = {name.span for name in idle}
        fix = _removal(lines, directive, [name for name in directive.codes if name.span not in idle_spans])
        found += [_idle(name, fix) for name in idle]
    return found


def _idle(name: CodeName, fix: Fix) -> Finding:
    message = f"There is no `{name.code}` here, so this comment has no effect. Remove it."
    return Finding(_UNUSED, entry_of(_UNUSED).severity, message, name.span, (fix,))


def _removal(lines: LineIndex, directive: SuppressionDirective, kept: list[CodeName]) -> Fix:
    title = entry_of(_UNUSED).fix_title
    if kept:
        return Fix(title, (Edit(directive.codes_span, ", ".join(name.code for name in kept)),), Safety.SAFE)
    return Fix("Remove the comment", (Edit(_with_its_line(lines, directive.span), ""),), Safety.SAFE)


def _with_its_line(lines: LineIndex, comment: Span) -> Span:
    """A comment with its line where it stands alone on it, else with the blanks before it."""
    text = lines.text
    first, last = lines.position(comment.start).line, lines.position(comment.end).line
    start, end = lines.line_span(first).start, lines.line_span(last).end
    if text[start : comment.start].strip() or text[comment.end : end].strip():
        blanks = len(text[start : comment.start]) - len(text[start : comment.start].rstrip(" \t"))
        return Span(comment.start - (0 if text[comment.end : end].strip() else blanks), comment.end)
    return Span(start, lines.line_span(last + 1).start if last + 1 < lines.line_count else len(text))
