"""How `scan` prints its report: for people as it goes, and as JSON in the shape of the reference agent's."""

from __future__ import annotations

from collections import Counter
from typing import Any, TextIO

from msgspec import Struct

from ttsr_ls.cli.printing.output import write_line
from ttsr_ls.cli.printing.terminal import Style, one_line, palette_for
from ttsr_ls.cli.trial.output import condition_text
from ttsr_ls.matching.ast.search import AstFailure
from ttsr_ls.matching.monitor.file_scan import FileScan, RuleMatch
from ttsr_ls.store.discovery.scan_tree import Unread
from ttsr_ls.text import Encoding, LineIndex

_LONGEST_LINE = 120
_MOST_NAMED = 5


class ScannedFile(Struct, frozen=True):
    """A file to tell of: its path as shown, its text, and what fires on it; `unread` why it was not read, if so."""

    path: str
    text: str
    matches: tuple[RuleMatch, ...]
    unread: Unread | None


class Counts:
    """What is counted on the way."""

    def __init__(self) -> None:
        self.total = 0
        self.scanned = 0
        self.matched = 0
        self.matches = 0
        self.irrelevant = 0
        self.unread: Counter[Unread] = Counter()
        self.unparsed: dict[str, AstFailure] = {}


class ScanReport(Struct, frozen=True):
    """All that `--json` tells."""

    files: tuple[ScannedFile, ...]
    counts: Counts
    rules: int
    gitignore: bool
    maximum: int


def as_json(report: ScanReport) -> dict[str, Any]:
    """The report as the reference's `ttsr scan --json` has it (spec Q1)."""
    counts = report.counts
    skipped = {str(reason): counts.unread[reason] for reason in Unread}
    return {
        "files": [
            {"filePath": file.path, "matches": [_match_json(match) for match in file.matches]}
            for file in report.files
            if file.matches
        ],
        "summary": {
            "totalFiles": counts.total,
            "scannedFiles": counts.scanned,
            "matchedFiles": counts.matched,
            "totalMatches": counts.matches,
            "evaluatedRules": report.rules,
            "skippedFiles": counts.unread.total() + counts.irrelevant,
            "skipped": {**skipped, "noRelevantRules": counts.irrelevant},
            "gitignore": report.gitignore,
            "maxBytes": report.maximum,
        },
    }


def _match_json(match: RuleMatch) -> dict[str, Any]:
    rule = match.rule
    expressions = [index for index in match.conditions if index < len(rule.conditions)]
    texts = [rule.condition_texts[index] for index in match.conditions]
    return {
        "name": rule.name,
        "path": rule.path,
        "matched": {"regex": texts[: len(expressions)], "ast": texts[len(expressions) :]},
    }


class TextReport:
    """Prints one line for each match, `path:line:column rule  text`, and a summary at the end."""

    __slots__ = ("_out", "_palette", "_verbose")

    def __init__(self, out: TextIO, *, verbose: bool) -> None:
        self._out = out
        self._palette = palette_for(out)
        self._verbose = verbose

    def file(self, file: ScannedFile) -> None:
        """Prints what is to be told of a file."""
        if file.unread is not None:
            if self._verbose:
                write_line(
                    self._palette.paint(f"{one_line(file.path)}: skipped, {file.unread}", Style.FAINT), stream=self._out
                )
            return
        lines = LineIndex(file.text)
        places = sorted(file.matches, key=lambda match: match.place)
        for match in places:
            position = lines.position(match.place.start, Encoding.UTF32)
            span = lines.line_span(position.line)
            start = max(span.start, match.place.start - _LONGEST_LINE // 2)
            shown = one_line(file.text[start : min(span.end, start + _LONGEST_LINE)].strip())
            where = f"{one_line(file.path)}:{position.line + 1}:{position.character + 1}"
            name = self._palette.paint(one_line(match.rule.name), Style.WARNING)
            write_line(f"{self._palette.paint(where, Style.STRONG)} {name}  {shown}", stream=self._out)
            if self._verbose:
                for index in match.conditions:
                    condition = condition_text(match.rule, index)
                    write_line(self._palette.paint(f"    {condition}", Style.FAINT), stream=self._out)

    def summary(self, counts: Counts, rules: int) -> None:
        """Prints what it all came to."""
        skipped = [f"{number} {reason}" for reason, number in sorted(counts.unread.items())]
        skipped += [f"{counts.irrelevant} that no rule watches"] if counts.irrelevant else []
        left_out = f"; skipped {', '.join(skipped)}" if skipped else ""
        found = f"{_count(counts.matches, 'match', 'matches')} in {_count(counts.matched, 'file', 'files')}"
        of = f"{_count(rules, 'rule', 'rules')} on {counts.scanned} of {_count(counts.total, 'file', 'files')}"
        if counts.matches:
            write_line(stream=self._out)
        write_line(f"{found if counts.matches else 'No matches'}; tried {of}{left_out}.", stream=self._out)


def print_warnings(scan: FileScan, counts: Counts, out: TextIO) -> None:
    """Prints what could not be evaluated: there may be more matches than were found."""
    for slow in scan.slow_conditions:
        condition = condition_text(slow.rule, slow.condition)
        write_line(f"ttsr-ls: {condition} of {one_line(slow.rule.name)} took too long on some files", out)
    for path, failure in list(counts.unparsed.items())[:_MOST_NAMED]:
        write_line(f"ttsr-ls: {one_line(path)}: AST conditions were not evaluated: {failure}", out)
    if len(counts.unparsed) > _MOST_NAMED:
        write_line(f"ttsr-ls: and {len(counts.unparsed) - _MOST_NAMED} more files", out)


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
