"""Findings as annotations of GitHub Actions: workflow commands, one a line.

Source: "Workflow commands for GitHub Actions" in GitHub's documentation, and the escaping of its `@actions/core`.
"""

from __future__ import annotations

from typing import TextIO

from ttsr_ls.cli.formats.report import CheckReport
from ttsr_ls.cli.printing.output import write_document
from ttsr_ls.cli.printing.terminal import one_line, printable
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.text import Encoding, LineIndex

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice", Severity.HINT: "notice"}


def write(report: CheckReport, out: TextIO) -> None:
    """Prints an annotation for each finding, and for each file that could not be checked."""
    for file in report.files:
        index = LineIndex(file.text)
        for finding in file.findings:
            write_document(_annotation(file.path, index, finding), out)
    for unreadable in report.unreadable:
        write_document(f"::error file={_property(unreadable.path)}::{_message(unreadable.reason)}", out)


def _annotation(path: str, index: LineIndex, finding: Finding) -> str:
    start = index.position(finding.span.start, Encoding.UTF32)
    end = index.position(finding.span.end, Encoding.UTF32)
    properties = {"file": path, "line": start.line + 1, "endLine": end.line + 1}
    # GitHub uses columns only for spans on one line. An empty span would mark nothing.
    if end.line == start.line:
        properties["col"] = start.character + 1
        properties["endColumn"] = max(end.character, start.character + 1)
    properties["title"] = finding.code
    listing = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {listing}::{_message(finding.message)}"


def _message(text: str) -> str:
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return one_line(text).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
