"""How `check` prints what it found: for people, and as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TextIO

from ttsr_ls.cli.snippet import excerpt
from ttsr_ls.cli.terminal import Palette, Style, one_line, palette_for, printable
from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.finding import Finding, Fix, Severity
from ttsr_ls.text import Encoding, LineIndex, Span

_STYLES = {
    Severity.ERROR: Style.ERROR,
    Severity.WARNING: Style.WARNING,
    Severity.INFO: Style.INFO,
    Severity.HINT: Style.HINT,
}


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A rule file and what is wrong with it."""

    path: str
    text: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that could not be checked, and a sentence that says why."""

    path: str
    reason: str


def print_text(files: Sequence[CheckedFile], out: TextIO) -> None:
    """Prints each finding with its line and carets, and a summary."""
    palette = palette_for(out)
    for file in files:
        index = LineIndex(file.text)
        for finding in file.findings:
            print(_as_text(file.path, index, finding, palette), file=out)
            print(file=out)
    print(_summary(files), file=out)


def print_json(files: Sequence[CheckedFile], out: TextIO) -> None:
    """Prints all findings as one JSON list; characters are counted in UTF-16 from 0."""
    found = []
    for file in files:
        index = LineIndex(file.text)
        found += [_as_json(file.path, index, finding) for finding in file.findings]
    json.dump(found, out, indent=2)
    out.write("\n")


def _as_text(path: str, index: LineIndex, finding: Finding, palette: Palette) -> str:
    place = index.position(finding.span.start, Encoding.UTF32)
    where = palette.paint(f"{one_line(path)}:{place.line + 1}:{place.character + 1}", Style.STRONG)
    severity = palette.paint(str(finding.severity), _STYLES[finding.severity])
    line, carets = excerpt(index, finding.span)
    fixes = [palette.paint(f"        fix ({fix.safety}): {printable(fix.title)}", Style.FAINT) for fix in finding.fixes]
    message = printable(finding.message)
    return "\n".join(
        [f"{where} {severity} {finding.code} {message}", line, palette.paint(carets, _STYLES[finding.severity]), *fixes]
    )


def _summary(files: Sequence[CheckedFile]) -> str:
    checked = _count(len(files), "file")
    counts = Counter(finding.severity for file in files for finding in file.findings)
    if not counts:
        return f"No findings in {checked}."
    parts = [_count(counts[severity], _nouns(severity)) for severity in Severity if counts[severity]]
    affected = sum(bool(file.findings) for file in files)
    return f"{', '.join(parts)} in {affected} of {checked}."


def _nouns(severity: Severity) -> str:
    return "note" if severity is Severity.INFO else str(severity)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _as_json(path: str, index: LineIndex, finding: Finding) -> dict[str, Any]:
    return {
        "path": path,
        "code": finding.code,
        "severity": str(finding.severity),
        "message": finding.message,
        "range": _range(index, finding.span),
        "fixes": [_fix(index, fix) for fix in finding.fixes],
        "url": entry_of(finding.code).url,
    }


def _fix(index: LineIndex, fix: Fix) -> dict[str, Any]:
    edits = [{"range": _range(index, edit.span), "newText": edit.text} for edit in fix.edits]
    return {"title": fix.title, "safety": str(fix.safety), "edits": edits}


def _range(index: LineIndex, span: Span) -> dict[str, Any]:
    return {"start": _position(index, span.start), "end": _position(index, span.end)}


def _position(index: LineIndex, offset: int) -> dict[str, int]:
    position = index.position(offset, Encoding.UTF16)
    return {"line": position.line, "character": position.character}
