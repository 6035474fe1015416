"""Builds findings with the severity of their code in the catalogue."""

from __future__ import annotations

from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.finding import Edit, Finding, Fix, Safety, Severity
from ttsr_ls.text import Span


def report(code: str, message: str, span: Span, *fixes: Fix, severity: Severity | None = None) -> Finding:
    """Returns a finding. `severity` overrides the severity of the code."""
    return Finding(code, severity or entry_of(code).severity, message, span, fixes)


def guess(title: str, span: Span, replacement: str) -> Fix:
    """Returns an unsafe fix that replaces one span."""
    return Fix(title, (Edit(span, replacement),), Safety.UNSAFE)
