"""Quick fixes for the findings that a range touches."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from ttsr_ls.lint.finding import Finding, Fix, Safety
from ttsr_ls.text import LineIndex, Span


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
    """Returns the fixes for the findings in `place`, those in `span` first, and of these the certain ones."""
    actions = [
        OfferedFix(finding, fix, fix.safety is Safety.SAFE)
        for finding in findings_at(analysis, place)
        for fix in finding.fixes
    ]
    selected = place if span is None else span
    return tuple(
        sorted(actions, key=lambda action: (not _touches(action.finding.span, selected), not action.preferred))
    )


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
