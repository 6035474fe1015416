"""`--statistics`: how many findings each code has, instead of the findings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from msgspec import Struct

from ttsr_ls.cli.formats.report import CheckedFile
from ttsr_ls.cli.printing.output import write_json, write_line
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.errors import UsageError
from ttsr_ls.lint.finding import Severity

FORMATS = ("text", "json")


class CodeStatistics(Struct):
    """The findings of one code so far: how many in all, and in how many files."""

    code: str
    severity: Severity
    findings: int = 0
    files: int = 0


class Statistics:
    """Counts the findings of files, one file after the other."""

    def __init__(self, files: Iterable[CheckedFile] = ()) -> None:
        self._by_code: dict[str, CodeStatistics] = {}
        for file in files:
            self.add(file)

    def add(self, file: CheckedFile) -> None:
        """Counts the findings of a file."""
        for finding in file.findings:
            counted = self._by_code.setdefault(finding.code, CodeStatistics(finding.code, finding.severity))
            counted.findings += 1
        for code in {finding.code for finding in file.findings}:
            self._by_code[code].files += 1

    def write(self, format_name: str, out: TextIO) -> None:
        """Prints the codes, those with the most findings first."""
        ordered = sorted(self._by_code.values(), key=lambda each: (-each.findings, each.code))
        if format_name == "json":
            shown = [
                {"code": each.code, "severity": str(each.severity), "findings": each.findings, "files": each.files}
                for each in ordered
            ]
            write_json(shown, out, indent=2)
            return
        wide = max((len(str(each.findings)) for each in ordered), default=0)
        wide_name = max((len(one_line(each.code)) for each in ordered), default=0)
        for each in ordered:
            files = "1 file" if each.files == 1 else f"{each.files} files"
            write_line(f"{each.findings:>{wide}}  {one_line(each.code):<{wide_name}}  {each.severity}  {files}", out)


def refuse_other_formats(format_name: str) -> None:
    """Raises `UsageError` for a format that `--statistics` does not have."""
    if format_name not in FORMATS:
        raise UsageError(f"--statistics has the formats {' and '.join(FORMATS)}, not {format_name}")
