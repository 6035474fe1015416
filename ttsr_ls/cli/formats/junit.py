"""Findings as a JUnit report: a test case for each finding, and one that passes for each file without any."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr

from ttsr_ls.cli.check_report import CheckedFile, Report, Unreadable
from ttsr_ls.cli.terminal import one_line, printable
from ttsr_ls.lint.finding import Finding
from ttsr_ls.text import Encoding, LineIndex


def write(report: Report, out: TextIO) -> None:
    """Prints the report as XML."""
    cases = [case for file in report.files for case in _cases(file)]
    failures = sum(len(file.findings) for file in report.files)
    errors = len(report.unreadable)
    cases += [_error(unreadable) for unreadable in report.unreadable]
    counts = f'tests="{len(cases)}" failures="{failures}" errors="{errors}"'
    out.write('<?xml version="1.0" encoding="utf-8"?>\n')
    out.write(f'<testsuites name="ttsr-ls" {counts}>\n  <testsuite name="ttsr-ls check" {counts}>\n')
    out.writelines(f"    {case}\n" for case in cases)
    out.write("  </testsuite>\n</testsuites>\n")


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
    text = f"{path}:{where} {finding.severity} {finding.code} {finding.message}"
    return (
        f'<testcase classname={_attribute(path)} name={name} file={_attribute(path)} line="{place.line + 1}">'
        f"<failure type={_attribute(str(finding.severity))} message={_attribute(finding.message)}>"
        f"{escape(printable(text))}</failure></testcase>"
    )


def _error(unreadable: Unreadable) -> str:
    path, reason = _attribute(unreadable.path), _attribute(unreadable.reason)
    return f'<testcase classname={path} name="check"><error type="unreadable" message={reason}/></testcase>'


def _attribute(text: str) -> str:
    return quoteattr(one_line(text))
