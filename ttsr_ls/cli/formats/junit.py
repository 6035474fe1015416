"""Findings as a JUnit report: a test case for each finding, and one that passes for each file without any."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr

from ttsr_ls.cli.formats.report import CheckedFile, Report, Unreadable
from ttsr_ls.cli.printing.output import write_document
from ttsr_ls.cli.printing.terminal import one_line, printable
from ttsr_ls.lint.finding import Finding
from ttsr_ls.text import Encoding, LineIndex


def write(report: Report, out: TextIO) -> None:
    """Prints the report as XML."""
    cases = [case for file in report.files for case in _cases(file)]
    failures = sum(len(file.findings) for file in report.files)
    errors = len(report.unreadable)
    cases += [_error(unreadable) for unreadable in report.unreadable]
    counts = f'tests="{len(cases)}" failures="{failures}" errors="{errors}"'
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<testsuites name="ttsr-ls" {counts}>',
        f'  <testsuite name="ttsr-ls check" {counts}>',
        *(f"    {case}" for case in cases),
        "  </testsuite>",
        "</testsuites>",
    ]
    # Character references: the output may not be able to say what is not ASCII, whatever the first line says.
    write_document("\n".join(lines).encode("ascii", "xmlcharrefreplace").decode(), out)


def _cases(file: CheckedFile) -> Iterator[str]:
    if not file.findings:
        yield f'<testcase classname={_attribute(file.path)} name="check"/>'
        return
    index = LineIndex(file.text)
    for finding in file.findings:
        yield _failure(file.path, index, finding)


def _failure(path: str, index: LineIndex, finding: Finding) -> str:
    place = index.position(finding.span.start, Encoding.UTF32)
    where = f"{place.line + 1}:{place.character + 1}"
    name = _attribute(f"{finding.code} at {where}")
    text = one_line(f"{path}:{where} {finding.severity} {finding.code} {finding.message}")
    return (
        f'<testcase classname={_attribute(path)} name={name} file={_attribute(path)} line="{place.line + 1}">'
        f"<failure type={_attribute(str(finding.severity))} message={_attribute(finding.message)}>"
        f"{escape(_xml(text))}</failure></testcase>"
    )


def _error(unreadable: Unreadable) -> str:
    path, reason = _attribute(unreadable.path), _attribute(unreadable.reason)
    return f'<testcase classname={path} name="check"><error type="unreadable" message={reason}/></testcase>'


def _attribute(text: str) -> str:
    return quoteattr(_xml(text).replace("\n", "\\n").replace("\t", "\\t"))


def _xml(text: str) -> str:
    """Printable text without the two characters that are printable and not allowed in XML."""
    return printable(text).replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff")
