"""How many findings of a file are reported."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ttsr_ls.lint.finding import Finding

MOST_FINDINGS = 1_000
"""How many findings of a file are reported; the last of them says how many there are beside it."""


def bounded(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The first findings, as many as are reported."""
    left_out = len(findings) - MOST_FINDINGS
    if left_out <= 0:
        return tuple(findings)
    last = findings[MOST_FINDINGS - 1]
    message = f"{last.message} The file has {left_out:,} more findings after this one, which are not listed."
    return (*findings[: MOST_FINDINGS - 1], replace(last, message=message))
