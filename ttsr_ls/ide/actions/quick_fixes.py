"""Quick fixes for the findings that a range touches."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from ttsr_ls.lint.finding import Finding, Fix, Safety
from ttsr_ls.text import LineIndex, Span

_MAX_SHOWN = 40
"""The longest text that the title of a fix quotes, in characters."""


class HasFindings(Protocol):
    """An analysis of a file of any kind."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of the file."""


class OfferedFix(Struct, frozen=True):
    """An offered fix. `preferred` marks a certain fix, which editors apply without a menu."""

    finding: Finding
    fix: Fix
    preferred: bool


def quick_fixes(analysis: HasFindings, place: Span, span: Span | None = None) -> tuple[OfferedFix, ...]:
    """Returns the fixes for the findings in `place`: those in `span` first, else in the order of the text."""
    actions = [
        OfferedFix(finding, fix, fix.safety is Safety.SAFE)
        for finding in findings_at(analysis, place)
        for fix in finding.fixes
    ]
    selected = place if span is None else span
    return tuple(
        sorted(
            actions,
            key=lambda action: (
                not _touches(action.finding.span, selected),
                action.finding.span.start,
                not action.preferred,
            ),
        )
    )


def fix_title(fix: Fix, text: str) -> str:
    """Returns the title of a fix of `text`, with the replaced text and its replacement where both are short."""
    if len(fix.edits) != 1:
        return fix.title
    (edit,) = fix.edits
    old, new = text[edit.span.start : edit.span.end].strip(), edit.text.strip()
    is_shown = old != new and all(part.isprintable() and 0 < len(part) <= _MAX_SHOWN for part in (old, new))
    return f"{fix.title.removesuffix(f': {new}')}: `{old}` -> `{new}`" if is_shown else fix.title


def findings_at(analysis: HasFindings, place: Span, span: Span | None = None) -> tuple[Finding, ...]:
    """Returns the findings in `place`, those in `span` first."""
    selected = place if span is None else span
    findings = (finding for finding in analysis.findings if _touches(finding.span, place))
    return tuple(sorted(findings, key=lambda finding: not _touches(finding.span, selected)))


def whole_lines(span: Span, index: LineIndex) -> Span:
    """Returns the lines that a span touches, without the end of the last one."""
    first, last = index.position(span.start).line, index.position(span.end).line
    return Span(index.line_span(first).start, index.line_span(last).end)


def _touches(span: Span, place: Span) -> bool:
    return span.start <= place.end and place.start <= span.end
