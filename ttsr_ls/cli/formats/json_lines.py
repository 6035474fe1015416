"""Findings as JSON lines: one object a line, in the shape of the format `json`."""

from __future__ import annotations

from typing import TextIO

from ttsr_ls.cli.formats.as_json import finding_json
from ttsr_ls.cli.formats.report import CheckReport
from ttsr_ls.cli.printing.output import write_json
from ttsr_ls.text import LineIndex


def write(report: CheckReport, out: TextIO) -> None:
    """Prints the lines."""
    for file in report.files:
        index = LineIndex(file.text)
        for finding in file.findings:
            write_json(finding_json(report, file.path, index, finding), out)
