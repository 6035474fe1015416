"""The growing text of a transcript: headings, content, marks and folds. Independent of events.

The agent's text is indented and escaped, so that none of its lines looks like a heading of this program.
"""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.escaping import one_line, printable

MAX_CHARACTERS = 400_000
"""The older half of a longer transcript is dropped. The session log has everything."""
_MAX_LINE_LENGTH = 4_000
"""Longer lines are split: editors become slow on them."""
INDENT = "  "


class TranscriptMark(Struct, frozen=True):
    """Code points `start` to `end` of `line` show the trigger with this number."""

    line: int
    start: int
    end: int
    trigger: int


class TranscriptFold(Struct, frozen=True):
    """Lines `first` to `last` can be folded into the first; an editor does so from the start."""

    first: int
    last: int


class TranscriptPart(Struct, frozen=True):
    """The lines of a transcript from number `first` on, with all its marks and folds.

    Lines before number `stable` stay as they are while `epoch` does.
    """

    epoch: int
    first: int
    stable: int
    lines: tuple[str, ...]
    marks: tuple[TranscriptMark, ...]
    folds: tuple[TranscriptFold, ...]


class TranscriptText:
    """Lines that are added at the end; the last of them may be temporary.

    `epoch` rises when permanent lines change or are dropped.
    """

    __slots__ = ("_folds", "_lines", "_marks", "_size", "epoch", "stable")

    def __init__(self, epoch: int = 0) -> None:
        self.epoch = epoch
        self.stable = 0
        """The number of permanent lines; later lines are temporary."""
        self._lines: list[str] = []
        self._marks: list[TranscriptMark] = []
        self._folds: list[TranscriptFold] = []
        self._size = 0

    @property
    def end(self) -> int:
        """The number of the next line."""
        return len(self._lines)

    def heading(self, text: str) -> int:
        """Adds a line of this program. Returns its number."""
        self._add(one_line(text)[:_MAX_LINE_LENGTH])
        return self.end - 1

    def content(self, text: str, *, depth: int = 1, folded: bool = False) -> range:
        """Adds an agent's text, indented `depth` times; returns its lines. `folded` folds them into the heading."""
        first = self.end
        indent = INDENT * depth
        for line in printable(text.expandtabs(4)).rstrip("\n").split("\n"):
            for start in range(0, max(len(line), 1), _MAX_LINE_LENGTH):
                self._add((indent + line[start : start + _MAX_LINE_LENGTH]).rstrip())
        if folded and first > 0:
            self._folds.append(TranscriptFold(first - 1, self.end - 1))
        return range(first, self.end)

    def replace_heading(self, number: int, text: str) -> None:
        """Replaces a line of this program, and the mark on the whole of it."""
        shown = one_line(text)[:_MAX_LINE_LENGTH]
        if shown == self._lines[number]:
            return
        self._size += len(shown) - len(self._lines[number])
        self._lines[number] = shown
        for at, one in enumerate(self._marks):
            if one.line == number:
                self._marks[at] = TranscriptMark(number, 0, len(shown), one.trigger)
        if number < self.stable:
            self.epoch += 1

    def mark(self, line: int, start: int, end: int, trigger: int) -> None:
        """Underlines a part of a line for a trigger."""
        self._marks.append(TranscriptMark(line, start, end, trigger))

    def mark_line(self, line: int, trigger: int) -> None:
        """Underlines a whole line for a trigger."""
        self.mark(line, 0, len(self._lines[line]), trigger)

    def line(self, number: int) -> str:
        """The line with this number."""
        return self._lines[number]

    def settle(self) -> None:
        """Makes all lines permanent."""
        self.stable = self.end

    def drop_unstable(self) -> None:
        """Removes the temporary lines."""
        self._size -= sum(len(line) + 1 for line in self._lines[self.stable :])
        del self._lines[self.stable :]
        while self._marks and self._marks[-1].line >= self.stable:  # Marks are added in the order of lines at the end.
            self._marks.pop()

    def shorten(self) -> int:
        """Drops the older half of a text that is too long; returns the number of dropped lines."""
        if self._size <= MAX_CHARACTERS:
            return 0
        gone = 0
        while self._size > MAX_CHARACTERS // 2 and gone < len(self._lines):
            self._size -= len(self._lines[gone]) + 1
            gone += 1
        self._lines = self._lines[gone:]
        self._marks = [
            TranscriptMark(mark.line - gone, mark.start, mark.end, mark.trigger)
            for mark in self._marks
            if mark.line >= gone
        ]
        self._folds = [
            TranscriptFold(fold.first - gone, fold.last - gone) for fold in self._folds if fold.first >= gone
        ]
        self.stable = max(self.stable - gone, 0)
        self.epoch += 1
        return gone

    def part(self, epoch: int, first: int) -> TranscriptPart:
        """The lines from `first` on; all lines if the caller's `epoch` is outdated."""
        if epoch != self.epoch or not 0 <= first <= self.end:
            first = 0
        return TranscriptPart(
            self.epoch, first, self.stable, tuple(self._lines[first:]), tuple(self._marks), tuple(self._folds)
        )

    def _add(self, line: str) -> None:
        self._lines.append(line)
        self._size += len(line) + 1
