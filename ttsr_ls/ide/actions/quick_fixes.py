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


def quick_fixes(analysis: HasFindings, where: Span, within: Span | None = None) -> tuple[OfferedFix, ...]:
    """Returns the fixes for the findings in `where`, those in `within` first, and of these the certain ones."""
    actions = [
        OfferedFix(finding, fix, fix.safety is Safety.SAFE)
        for finding in findings_at(analysis, where)
        for fix in finding.fixes
    ]
    selected = where if within is None else within
    return tuple(
        sorted(actions, key=lambda action: (not _touches(action.finding.span, selected), not action.preferred))
    )


def findings_at(analysis: HasFindings, where: Span, within: Span | None = None) -> tuple[Finding, ...]:
    """Returns the findings in `where`, those in `within` first."""
    selected = where if within is None else within
    found = (finding for finding in analysis.findings if _touches(finding.span, where))
    return tuple(sorted(found, key=lambda finding: not _touches(finding.span, selected)))


def whole_lines(span: Span, index: LineIndex) -> Span:
    """Returns the lines that a span touches, without the end of the last one."""
    first, last = index.position(span.start).line, index.position(span.end).line
    return Span(index.line_span(first).start, index.line_span(last).end)


def _touches(span: Span, where: Span) -> bool:
    return span.start <= where.end and where.start <= span.end
