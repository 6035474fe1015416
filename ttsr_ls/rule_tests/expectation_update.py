"""Writes what happened into a test file in the place of what its cases expect, and leaves everything else as it is."""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.rule_tests.case import CaseOrigin
from ttsr_ls.rule_tests.case_run import CaseResult, CaseStatus
from ttsr_ls.rule_tests.keys import CONDITION, LINE, OFFSET
from ttsr_ls.text import Span


def updated(text: str, results: Iterable[CaseResult]) -> tuple[str, int]:
    """The text of a test file with the values that failing cases had, and how many were changed.

    Only a case that has to fire, and fires otherwise than it says, is changed: whether a rule has to fire is for a
    person to say.
    """
    edits: list[tuple[Span, str]] = []
    for result in results:
        case, actual = result.case, result.actual
        if case.origin is not CaseOrigin.FILE or result.status is not CaseStatus.FAILED or result.trigger is None:
            continue
        values = {
            CONDITION.name: None if actual.condition is None else _quoted(actual.condition),
            OFFSET.name: str(actual.offset),
            LINE.name: str(actual.line),
        }
        for key, span in case.expected_spans.items():
            value = values[key]
            if value is not None and text[span.start : span.end] != value:
                edits.append((span, value))
    for span, value in sorted(edits, reverse=True):
        # A block of lines is one value with the line end behind it.
        ending = "\n" if text[span.start : span.end].endswith("\n") else ""
        text = text[: span.start] + value + ending + text[span.end :]
    return text, len(edits)


def _quoted(value: str) -> str | None:
    """A value in single quotes; None for one that these cannot hold."""
    return "'" + value.replace("'", "''") + "'" if value.isprintable() else None
