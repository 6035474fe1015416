"""Builds findings and fixes with the severity, title and safety of their code in the catalogue."""

from __future__ import annotations

from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.finding import Edit, Finding, Fix, RelatedLocation, Safety, Severity
from ttsr_ls.text import Span


def report(
    code: str,
    message: str,
    span: Span,
    *fixes: Fix,
    severity: Severity | None = None,
    related: tuple[RelatedLocation, ...] = (),
) -> Finding:
    """Returns a finding. `severity` overrides the severity of the code."""
    return Finding(code, severity or entry_of(code).severity, message, span, fixes, related)


def build_fixes(
    code: str, *edits: Edit | None, title: str | None = None, safety: Safety | None = None
) -> tuple[Fix, ...]:
    """Returns the fix that makes all of `edits`; no fix if one of the edits is None, or if there are none.

    `title` and `safety` override those of the code.
    """
    known = tuple(edit for edit in edits if edit is not None)
    if not known or len(known) < len(edits):
        return ()
    entry = entry_of(code)
    return (Fix(title or entry.fix_title, known, safety or entry.fix_safety),)


def guess(title: str, span: Span, replacement: str) -> Fix:
    """Returns an unsafe fix that replaces one span."""
    return Fix(title, (Edit(span, replacement),), Safety.UNSAFE)
