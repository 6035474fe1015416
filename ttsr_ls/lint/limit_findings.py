"""Limits the number of reported findings of a file."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.limits import LINT_LIMITS, LintLimits


def limit_findings(findings: Sequence[Finding], limits: LintLimits = LINT_LIMITS) -> tuple[Finding, ...]:
    """Returns the first findings, up to the limit. The message of the last one says how many are left out."""
    left_out = len(findings) - limits.findings
    if left_out <= 0:
        return tuple(findings)
    last = findings[limits.findings - 1]
    message = f"{last.message} The file has {left_out:,} more findings after this one, which are not listed."
    return (*findings[: limits.findings - 1], replace(last, message=message))
