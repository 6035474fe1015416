"""Replaces the expectations of a test file by the actual results, and leaves everything else unchanged."""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.rule_tests.case import CaseOrigin
from ttsr_ls.rule_tests.case_run import CaseResult, CaseStatus
from ttsr_ls.rule_tests.keys import CONDITION, LINE, OFFSET
from ttsr_ls.syntax.frontmatter.quoting import single_quoted_if_printable
from ttsr_ls.text import Span


def update_expectations(text: str, results: Iterable[CaseResult]) -> tuple[str, int]:
    """Returns the text of a test file with the actual values of failing cases, and the number of changes.

    Only a case that must fire, and fires with other values, is changed: whether a rule must fire is the author's
    decision.
    """
    edits: list[tuple[Span, str]] = []
    for result in results:
        case, actual = result.case, result.actual
        if case.origin is not CaseOrigin.FILE or result.status is not CaseStatus.FAILED or result.trigger is None:
            continue
        values = {
            CONDITION.name: None if actual.condition is None else single_quoted_if_printable(actual.condition),
            OFFSET.name: str(actual.offset),
            LINE.name: str(actual.line),
        }
        for key, span in case.expected_spans.items():
            value = values[key]
            if value is not None and text[span.start : span.end] != value:
                edits.append((span, value))
    for span, value in sorted(edits, reverse=True):
        # The span of a block scalar includes the line end after it.
        ending = "\n" if text[span.start : span.end].endswith("\n") else ""
        text = text[: span.start] + value + ending + text[span.end :]
    return text, len(edits)
