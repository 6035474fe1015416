"""Findings as one JSON list. Positions are those of the LSP: lines and UTF-16 units, counted from 0."""

from __future__ import annotations

from typing import Any, TextIO

from ttsr_ls.cli.formats.report import CheckReport
from ttsr_ls.cli.printing.output import write_json
from ttsr_ls.lint.finding import Finding, Fix, RelatedLocation
from ttsr_ls.text import Encoding, LineIndex, Span


def write(report: CheckReport, out: TextIO) -> None:
    """Prints the list."""
    findings = []
    for file in report.files:
        index = LineIndex(file.text)
        findings += [finding_json(report, file.path, index, finding) for finding in file.findings]
    write_json(findings, out, indent=2)


def finding_json(report: CheckReport, path: str, index: LineIndex, finding: Finding) -> dict[str, Any]:
    """A finding as one JSON object."""
    return {
        "path": path,
        "code": finding.code,
        "severity": str(finding.severity),
        "message": finding.message,
        "range": range_json(index, finding.span),
        "fixes": [_fix(index, fix) for fix in finding.fixes],
        "url": report.describe(finding.code).url,
        "related": [_related(index, related) for related in finding.related],
    }


def _fix(index: LineIndex, fix: Fix) -> dict[str, Any]:
    edits = [{"range": range_json(index, edit.span), "newText": edit.text} for edit in fix.edits]
    return {"title": fix.title, "safety": str(fix.safety), "edits": edits}


def _related(index: LineIndex, related: RelatedLocation) -> dict[str, Any]:
    place: dict[str, Any] = {} if related.path is None else {"path": related.path}
    related_index = related.index(index)
    if related_index is not None:
        place["range"] = range_json(related_index, related.span)
    return {"message": related.message, **place}


def range_json(index: LineIndex, span: Span) -> dict[str, Any]:
    """A span in lines and UTF-16 units, counted from 0."""
    return {"start": _position(index, span.start), "end": _position(index, span.end)}


def _position(index: LineIndex, offset: int) -> dict[str, int]:
    position = index.position(offset, Encoding.UTF16)
    return {"line": position.line, "character": position.character}
