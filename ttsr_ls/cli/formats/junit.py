"""Findings as a JUnit report: a test case for each finding, and one that passes for each file without any.

The elements and attributes are those of the schema `junit-10.xsd` of Jenkins, which has no `error` and no `file`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr

from ttsr_ls.cli.formats.report import CheckedFile, CheckReport, UncheckedFile
from ttsr_ls.cli.printing.output import write_document
from ttsr_ls.cli.printing.terminal import one_line, printable
from ttsr_ls.lint.finding import Finding
from ttsr_ls.text import Encoding, LineIndex

_CACHED_ATTRIBUTES = 64
"""The number of attributes whose escaped values are cached: thousands of findings share a path and a message."""


def write(report: CheckReport, out: TextIO) -> None:
    """Prints the report as XML."""
    cases = [case for file in report.files for case in _cases(file, report.command)]
    failures = sum(len(file.findings) for file in report.files) + len(report.unreadable)
    cases += [_unreadable(unreadable, report.command) for unreadable in report.unreadable]
    print_junit_report(f"ttsr-ls {report.command}", cases, failures, out)


def print_junit_report(name: str, cases: Sequence[str], failures: int, out: TextIO) -> None:
    """Prints a report with one suite; `cases` are its elements `testcase`."""
    counts = f'tests="{len(cases)}" failures="{failures}" errors="0"'
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<testsuites name="ttsr-ls" {counts}>',
        f"  <testsuite name={attribute(name)} {counts}>",
        *(f"    {case}" for case in cases),
        "  </testsuite>",
        "</testsuites>",
    ]
    # ASCII with character references: the encoding of the output may be another one than the first line says.
    write_document("\n".join(lines).encode("ascii", "xmlcharrefreplace").decode(), out)


def _cases(file: CheckedFile, command: str) -> Iterator[str]:
    if not file.findings:
        yield passed_case(file.path, command)
        return
    index = LineIndex(file.text)
    for finding in file.findings:
        yield _failure(file.path, index, finding)


def _failure(path: str, index: LineIndex, finding: Finding) -> str:
    place = index.position(finding.span.start, Encoding.UTF32)
    location = f"{place.line + 1}:{place.character + 1}"
    text = f"{path}:{location} {finding.severity} {finding.code} {finding.message}"
    name = f"{finding.code} at {location}"
    return failed_case(path, name, str(finding.severity), finding.message, one_line(text))


def _unreadable(unreadable: UncheckedFile, command: str) -> str:
    return failed_case(unreadable.path, command, "unreadable", unreadable.reason, one_line(unreadable.reason))


def passed_case(classname: str, name: str) -> str:
    """The element of a test that passed."""
    return f"<testcase classname={attribute(classname)} name={attribute(name)}/>"


def failed_case(classname: str, name: str, kind: str, message: str, text: str) -> str:
    """The element of a test that failed: with its kind of failure, and a text that may have several lines."""
    return (
        f"<testcase classname={attribute(classname)} name={attribute(name)}>"
        f"<failure type={attribute(kind)} message={attribute(message)}>{escape(_xml(text))}</failure></testcase>"
    )


@lru_cache(_CACHED_ATTRIBUTES)
def attribute(text: str) -> str:
    """The value of an attribute, escaped and in quotes."""
    return quoteattr(_xml(text).replace("\n", "\\n").replace("\t", "\\t"))


def _xml(text: str) -> str:
    """`text` as printable characters, with escapes for the two of them that XML does not allow."""
    return printable(text).replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff")
