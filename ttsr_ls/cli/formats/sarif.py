"""Findings as SARIF 2.1.0 (OASIS standard), for code scanning and for programs that show results.

Relative paths stay as the user wrote them, and have no base: the program that uploads the report sets it.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Any, TextIO
from urllib.parse import quote

from ttsr_ls import __version__
from ttsr_ls.cli.formats.report import CheckedFile, CheckReport
from ttsr_ls.cli.printing.output import write_json
from ttsr_ls.file_uri import file_uri
from ttsr_ls.lint.finding import Edit, Finding, Fix, RelatedLocation, Severity
from ttsr_ls.lint.suppressions.fingerprint import fingerprints
from ttsr_ls.text import Encoding, LineIndex, Span

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_INFORMATION = "https://pypi.org/project/ttsr-ls/"
"""The page of the package, whose address does not depend on the host of the repository."""
_FINGERPRINT = "ttsrFinding/v1"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note", Severity.HINT: "note"}

SarifObject = dict[str, Any]


def write(report: CheckReport, out: TextIO) -> None:
    """Prints a log with one run."""
    codes = sorted({finding.code for _, finding in report.findings()})
    driver = {
        "name": "ttsr-ls",
        "version": __version__,
        "informationUri": _INFORMATION,
        "rules": [_rule(code, report) for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "utf16CodeUnits",
        "invocations": [_invocation(report)],
        "results": [result for file in report.files for result in _results(file, codes)],
    }
    write_json({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, out, indent=2)


def _rule(code: str, report: CheckReport) -> SarifObject:
    description = report.describe(code)
    return {
        "id": code,
        "shortDescription": {"text": f"{description.summary.removesuffix('.')}."},
        "fullDescription": {"text": f"{description.summary.removesuffix('.')}."},
        "help": {"text": description.help, "markdown": description.page},
        "defaultConfiguration": {"level": _LEVELS[description.severity]},
    }


def _invocation(report: CheckReport) -> SarifObject:
    notes = [
        {
            "level": "error",
            "message": {"text": unreadable.reason},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(unreadable.path)}}}],
        }
        for unreadable in report.unreadable
    ]
    return {"executionSuccessful": not notes, "toolExecutionNotifications": notes}


def _results(file: CheckedFile, codes: list[str]) -> list[SarifObject]:
    index = LineIndex(file.text)
    prints = fingerprints(index, file.findings)
    return [_result(file, index, codes, finding, each) for finding, each in zip(file.findings, prints, strict=True)]


def _result(file: CheckedFile, index: LineIndex, codes: list[str], finding: Finding, fingerprint: str) -> SarifObject:
    result: SarifObject = {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": _place(file.path, index, finding.span)}],
        "partialFingerprints": {_FINGERPRINT: fingerprint},
    }
    if finding.related:
        result["relatedLocations"] = [_related(file, index, related) for related in finding.related]
    if finding.fixes:
        result["fixes"] = [_fix(file, index, fix) for fix in finding.fixes]
    return result


def _related(file: CheckedFile, index: LineIndex, related: RelatedLocation) -> SarifObject:
    path = file.path if related.path is None else related.path
    related_index = related.index(index)
    place = (
        {"artifactLocation": {"uri": _uri(path)}}
        if related_index is None
        else _place(path, related_index, related.span)
    )
    return {"physicalLocation": place, "message": {"text": related.message}}


def _fix(file: CheckedFile, index: LineIndex, fix: Fix) -> SarifObject:
    change = {
        "artifactLocation": {"uri": _uri(file.path)},
        "replacements": [_replacement(index, edit) for edit in fix.edits],
    }
    return {"description": {"text": f"{fix.title} ({fix.safety})"}, "artifactChanges": [change]}


def _replacement(index: LineIndex, edit: Edit) -> SarifObject:
    replacement: SarifObject = {"deletedRegion": _region(index, edit.span)}
    if edit.text:
        replacement["insertedContent"] = {"text": edit.text}
    return replacement


def _place(path: str, index: LineIndex, span: Span) -> SarifObject:
    return {"artifactLocation": {"uri": _uri(path)}, "region": _region(index, span)}


def _region(index: LineIndex, span: Span) -> SarifObject:
    start, end = (index.position(offset, Encoding.UTF16) for offset in (span.start, span.end))
    return {
        "startLine": start.line + 1,
        "startColumn": start.character + 1,
        "endLine": end.line + 1,
        "endColumn": end.character + 1,
    }


def _uri(path: str) -> str:
    pure = PurePath(path)
    return file_uri(path) if pure.is_absolute() else quote(pure.as_posix(), errors="surrogateescape")
