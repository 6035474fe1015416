"""Prints the results of `scan` as text: matches by file or one a line, a summary, and rules that were not
evaluated."""

from __future__ import annotations

from typing import TextIO

from ttsr_ls.cli.formats.concise import position_text
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.output import write_line
from ttsr_ls.cli.printing.terminal import TextStyle, one_line, palette_for
from ttsr_ls.cli.scan.counts import Counts
from ttsr_ls.cli.scan.matches import ScannedFile, message_of
from ttsr_ls.cli.trial.output import condition_text
from ttsr_ls.matching.monitor.file_scan import FileScan
from ttsr_ls.text import Encoding, LineIndex, Span

_MAX_LINE_LENGTH = 100
_MAX_NAMED = 5


class TextReport:
    """Prints the path of each file, and below it a line for each match: its place, the rule, and the code there."""

    __slots__ = ("_messages", "_out", "_palette", "_verbose")

    def __init__(self, out: TextIO, *, verbose: bool) -> None:
        self._out = out
        self._palette = palette_for(out)
        self._verbose = verbose
        self._messages: dict[str, str] = {}

    def file(self, file: ScannedFile) -> None:
        """Prints the matches of a file, or why it was skipped."""
        if file.unread is not None or not file.is_in_scope:
            if self._verbose:
                reason = file.unread or "outside of every rule's scope"
                skipped = f"{one_line(file.path)}: skipped, {reason}"
                write_line(self._palette.paint(skipped, TextStyle.FAINT), stream=self._out)
            return
        lines = LineIndex(file.text)
        write_line(self._palette.paint(one_line(file.path), TextStyle.STRONG), self._out)
        places = [_place(lines, match.place.span) for match in file.matches]
        names = [one_line(match.match.rule.name) for match in file.matches]
        width, name_width = max(map(len, places)), max(map(len, names))
        _add_messages(file, self._messages)
        for match, place, name in zip(file.matches, places, names, strict=True):
            styled = self._palette.paint(name, TextStyle.WARNING) + " " * (name_width - len(name))
            write_line(f"  {place:<{width}}  {styled}  {_code(lines, match.place.span)}", self._out)
            if self._verbose:
                condition = condition_text(match.match.rule, match.place.condition)
                write_line(self._palette.paint(f"      {condition}", TextStyle.FAINT), stream=self._out)
        write_line(stream=self._out)

    def summary(self, counts: Counts, rules: int) -> None:
        """Prints the message of each rule that matched, and the counts."""
        width = max(map(len, self._messages), default=0)
        for name, message in self._messages.items():
            styled = self._palette.paint(name, TextStyle.WARNING) + " " * (width - len(name))
            write_line(f"{styled}  {message}", self._out)
        if self._messages:
            write_line(stream=self._out)
        write_line(summary(counts, rules), stream=self._out)


class ConciseReport:
    """Prints one line for each match: file, place, rule, and the code there; at the end a line for each rule."""

    __slots__ = ("_messages", "_out")

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._messages: dict[str, str] = {}

    def file(self, file: ScannedFile) -> None:
        """Prints the lines of a file."""
        lines = LineIndex(file.text)
        _add_messages(file, self._messages)
        for match in file.matches:
            place = f"{one_line(file.path)}:{position_text(lines, match.place.span)}"
            write_line(f"{place}: {one_line(match.match.rule.name)}: {_code(lines, match.place.span)}", self._out)

    def summary(self) -> None:
        """Prints the message of each rule that matched."""
        for name, message in self._messages.items():
            write_line(f"{name}: {message}", self._out)


def _add_messages(file: ScannedFile, messages: dict[str, str]) -> None:
    for match in file.matches:
        rule = match.match.rule
        name = one_line(rule.name)
        # A body can have a megabyte, and a file thousands of matches.
        if name not in messages:
            messages[name] = one_line(message_of(rule))


def summary(counts: Counts, rules: int) -> str:
    """The counts in one line."""
    matches = "1 match" if counts.places == 1 else f"{counts.places} matches"
    totals = f"{matches} in {count(counts.matched, 'file')}" if counts.places else "No matches"
    parts = [f"{totals}; tried {count(rules, 'rule')} on {counts.scanned} of {count(counts.total, 'file')}"]
    skipped = [f"{number} {reason}" for reason, number in sorted(counts.unread.items())]
    skipped += [f"{counts.irrelevant} outside of every rule's scope"] if counts.irrelevant else []
    if skipped:
        parts.append(f"skipped {', '.join(skipped)}")
    if counts.silenced:
        parts.append(f"{counts.silenced} silenced by comments")
    if counts.known:
        parts.append(f"{counts.known} of the baseline not shown")
    return f"{'; '.join(parts)}."


def print_warnings(scan: FileScan, counts: Counts, out: TextIO) -> None:
    """Prints which conditions and files could not be evaluated: they may have more matches."""
    for slow in scan.disabled_conditions:
        condition = condition_text(slow.rule, slow.condition)
        write_line(f"ttsr-ls: {condition} of {one_line(slow.rule.name)} took too long on some files", out)
    for path, failure in list(counts.unparsed.items())[:_MAX_NAMED]:
        write_line(f"ttsr-ls: {one_line(path)}: AST conditions were not evaluated: {failure}", out)
    if len(counts.unparsed) > _MAX_NAMED:
        write_line(f"ttsr-ls: and {len(counts.unparsed) - _MAX_NAMED} more files", out)
    for path, name in counts.incomplete[:_MAX_NAMED]:
        write_line(f"ttsr-ls: {one_line(path)}: not all matches of {one_line(name)} were looked for", out)
    if len(counts.incomplete) > _MAX_NAMED:
        write_line(f"ttsr-ls: and so in {len(counts.incomplete) - _MAX_NAMED} more places", out)


def _place(lines: LineIndex, span: Span) -> str:
    """`line:column-endcolumn`; a span of several lines has the line of its end, too."""
    start, end = (lines.position(offset, Encoding.UTF32) for offset in (span.start, span.end))
    if start.line != end.line:
        return position_text(lines, span)
    return f"{start.line + 1}:{start.character + 1}-{end.character + 1}"


def _code(lines: LineIndex, span: Span) -> str:
    """The line of a match without surrounding blanks, truncated if it is long."""
    line = lines.line_span(lines.position(span.start, Encoding.UTF32).line)
    start = max(line.start, span.start - _MAX_LINE_LENGTH // 2)
    return one_line(lines.text[start : min(line.end, start + _MAX_LINE_LENGTH)].strip())
