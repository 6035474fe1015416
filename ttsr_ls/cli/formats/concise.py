"""Findings one a line: `path:line:column-endline:endcolumn: severity: code: message`."""

from __future__ import annotations

from typing import TextIO

from ttsr_ls.cli.formats.report import CheckReport
from ttsr_ls.cli.printing.output import write_line
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.text import Encoding, LineIndex, Span


def write(report: CheckReport, out: TextIO) -> None:
    """Prints the lines, and nothing else."""
    for file in report.files:
        index = LineIndex(file.text)
        for finding in file.findings:
            place = f"{one_line(file.path)}:{position_text(index, finding.span)}"
            write_line(f"{place}: {finding.severity}: {one_line(finding.code)}: {one_line(finding.message)}", out)


def position_text(index: LineIndex, span: Span) -> str:
    """`line:column-endline:endcolumn`, counted from 1 in characters; the end is behind the last one."""
    start, end = index.position(span.start, Encoding.UTF32), index.position(span.end, Encoding.UTF32)
    return f"{start.line + 1}:{start.character + 1}-{end.line + 1}:{end.character + 1}"
