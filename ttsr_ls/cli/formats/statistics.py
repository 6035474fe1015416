"""`--statistics`: how many findings each code has, instead of the findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TextIO

from ttsr_ls.cli.formats.report import CheckedFile
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.output import write_json, write_line
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.errors import UsageError
from ttsr_ls.lint.finding import Severity

FORMATS = ("text", "json")


class Statistics:
    """Counts the findings of files, one file after the other."""

    def __init__(self, files: Iterable[CheckedFile] = ()) -> None:
        self._findings: Counter[str] = Counter()
        self._files: Counter[str] = Counter()
        self._severities: dict[str, Severity] = {}
        for file in files:
            self.add(file)

    def add(self, file: CheckedFile) -> None:
        """Counts the findings of a file."""
        self._findings.update(finding.code for finding in file.findings)
        self._severities.update((finding.code, finding.severity) for finding in file.findings)
        self._files.update({finding.code for finding in file.findings})

    def write(self, format_name: str, out: TextIO) -> None:
        """Prints the codes, those with the most findings first."""
        sorted_items = sorted(self._findings.items(), key=lambda item: (-item[1], item[0]))
        if format_name == "json":
            rows = [
                {"code": code, "severity": str(self._severities[code]), "findings": number, "files": self._files[code]}
                for code, number in sorted_items
            ]
            write_json(rows, out, indent=2)
            return
        width = max((len(str(number)) for _, number in sorted_items), default=0)
        code_width = max((len(one_line(code)) for code, _ in sorted_items), default=0)
        severity_width = max(map(len, self._severities.values()), default=0)
        for code, number in sorted_items:
            files, severity = count(self._files[code], "file"), self._severities[code]
            cells = (f"{number:>{width}}", f"{one_line(code):<{code_width}}", f"{severity:<{severity_width}}", files)
            write_line("  ".join(cells), out)


def refuse_other_formats(format_name: str) -> None:
    """Raises `UsageError` for a format that `--statistics` does not support."""
    if format_name not in FORMATS:
        raise UsageError(f"--statistics supports the formats {' and '.join(FORMATS)}, not {format_name}")
