"""Findings as a Code Quality report of GitLab: a list of issues, each with a fingerprint of its own.

Source: "Code Quality report format" in GitLab's documentation. A file that could not be read is an issue at its line 1.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import PurePath
from typing import Any, TextIO

from ttsr_ls.cli.formats.report import CheckedFile, CheckReport, UncheckedFile
from ttsr_ls.cli.printing.output import write_json
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.suppressions.fingerprint import fingerprints
from ttsr_ls.text import Encoding, LineIndex

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.INFO: "minor", Severity.HINT: "info"}


def write(report: CheckReport, out: TextIO) -> None:
    """Prints the list."""
    issues = [issue for file in report.files for issue in _issues(file)]
    write_json([*issues, *map(_unreadable, report.unreadable)], out, indent=2)


def _issues(file: CheckedFile) -> list[dict[str, Any]]:
    index = LineIndex(file.text)
    prints = fingerprints(index, file.findings)
    return [_issue(file.path, index, finding, each) for finding, each in zip(file.findings, prints, strict=True)]


def _issue(path: str, index: LineIndex, finding: Finding, fingerprint: str) -> dict[str, Any]:
    start, end = (index.position(offset, Encoding.UTF32) for offset in (finding.span.start, finding.span.end))
    return {
        "description": finding.message,
        "check_name": finding.code,
        "fingerprint": _file_fingerprint(path, fingerprint),
        "severity": _SEVERITIES[finding.severity],
        "location": {
            "path": _path(path),
            "lines": {"begin": start.line + 1, "end": end.line + 1},
            "positions": {
                "begin": {"line": start.line + 1, "column": start.character + 1},
                "end": {"line": end.line + 1, "column": end.character + 1},
            },
        },
    }


def _unreadable(unreadable: UncheckedFile) -> dict[str, Any]:
    return {
        "description": unreadable.reason,
        "check_name": "unreadable",
        "fingerprint": _file_fingerprint(unreadable.path, "unreadable"),
        "severity": "blocker",
        "location": {"path": _path(unreadable.path), "lines": {"begin": 1, "end": 1}},
    }


def _file_fingerprint(path: str, fingerprint: str) -> str:
    return sha256(f"{_path(path)}\0{fingerprint}".encode("utf-8", "surrogatepass")).hexdigest()


def _path(path: str) -> str:
    return PurePath(path).as_posix()
