"""Findings as text: each with its line and carets, and a summary."""

from __future__ import annotations

from collections import Counter
from typing import TextIO

from ttsr_ls.cli.formats.report import CheckReport
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.output import is_quiet, write_line
from ttsr_ls.cli.printing.snippet import code_excerpt
from ttsr_ls.cli.printing.terminal import Palette, TextStyle, one_line, palette_for
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.text import Encoding, LineIndex

_STYLES = {
    Severity.ERROR: TextStyle.ERROR,
    Severity.WARNING: TextStyle.WARNING,
    Severity.INFO: TextStyle.INFO,
    Severity.HINT: TextStyle.HINT,
}


def write(report: CheckReport, out: TextIO) -> None:
    """Prints the report, in colours where the output has them."""
    palette = palette_for(out)
    for file in report.files:
        index = LineIndex(file.text)
        for finding in file.findings:
            write_line(_finding(file.path, index, finding, palette), out)
            write_line(stream=out)
    if not is_quiet():
        write_line(summary(report), out)


def _finding(path: str, index: LineIndex, finding: Finding, palette: Palette) -> str:
    place = index.position(finding.span.start, Encoding.UTF32)
    location = palette.paint(f"{one_line(path)}:{place.line + 1}:{place.character + 1}", TextStyle.STRONG)
    severity = palette.paint(str(finding.severity), _STYLES[finding.severity])
    line, carets = code_excerpt(index, finding.span)
    fixes = [
        palette.paint(f"        fix ({fix.safety}): {one_line(fix.title)}", TextStyle.FAINT) for fix in finding.fixes
    ]
    message = one_line(finding.message)
    return "\n".join(
        [
            f"{location} {severity} {finding.code} {message}",
            line,
            palette.paint(carets, _STYLES[finding.severity]),
            *fixes,
        ]
    )


def summary(report: CheckReport) -> str:
    """The summary of a report, one line."""
    sentences = [_found(report)]
    if report.fixed:
        sentences.insert(0, f"{count(report.fixed, 'finding')} fixed.")
    if report.fixable:
        sentences.append(f"{report.fixable} more can be fixed with --unsafe-fixes.")
    if report.known:
        sentences.append(f"{count(report.known, 'finding')} of the baseline not shown.")
    return " ".join(sentences)


def _found(report: CheckReport) -> str:
    if not (report.files or report.unreadable):
        # A misspelt path in a pipeline must not look like a success.
        return "No rule files found."
    checked = count(len(report.files), "file")
    counts = Counter(finding.severity for _, finding in report.findings())
    if not counts:
        return f"No findings in {checked}."
    parts = [count(counts[severity], _noun(severity)) for severity in Severity if counts[severity]]
    affected = sum(bool(file.findings) for file in report.files)
    return f"{', '.join(parts)} in {affected} of {checked}."


def _noun(severity: Severity) -> str:
    return "note" if severity is Severity.INFO else str(severity)
