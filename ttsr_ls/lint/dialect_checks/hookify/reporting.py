"""Builds findings with the severity that the catalogue gives to their code."""

from __future__ import annotations

from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.finding import Edit, Finding, Fix, Safety, Severity
from ttsr_ls.text import Span


def report(code: str, message: str, span: Span, *fixes: Fix, severity: Severity | None = None) -> Finding:
    """A finding; `severity` is given where it differs from the severity of the code."""
    return Finding(code, severity or entry_of(code).severity, message, span, fixes)


def guess(title: str, span: Span, replacement: str) -> Fix:
    """An unsafe fix that replaces one span."""
    return Fix(title, (Edit(span, replacement),), Safety.UNSAFE)
