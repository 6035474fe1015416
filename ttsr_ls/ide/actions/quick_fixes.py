"""Quick fixes for the findings that a range touches."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from ttsr_ls.lint.finding import Finding, Fix, Safety
from ttsr_ls.text import Span


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


def quick_fixes(analysis: HasFindings, where: Span) -> tuple[OfferedFix, ...]:
    """Returns the fixes for the findings in `where`, certain ones first."""
    actions = [
        OfferedFix(finding, fix, fix.safety is Safety.SAFE)
        for finding in findings_at(analysis, where)
        for fix in finding.fixes
    ]
    return tuple(sorted(actions, key=lambda action: not action.preferred))


def findings_at(analysis: HasFindings, where: Span) -> tuple[Finding, ...]:
    """Returns the findings in `where`."""
    return tuple(finding for finding in analysis.findings if _touches(finding.span, where))


def _touches(span: Span, where: Span) -> bool:
    return span.start <= where.end and where.start <= span.end
