"""Spans, positions and line indexes: where something is in a text.

Inside the package every place is a `Span` of offsets in code points of a Python `str`. Lines and columns exist only
at the borders (editor protocol, terminal), and only this module converts.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import Enum
from functools import lru_cache
from itertools import accumulate

from msgspec import Struct

_LINE_END = re.compile(r"[\r\n]")
_VISIBLE = re.compile(r"\S")


class Encoding(Enum):
    """The unit in which `character` of a position counts (LSP `PositionEncodingKind`)."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


class Span(Struct, frozen=True, order=True, gc=False):
    """The half-open range `start` to `end` of a text, in code points from 0."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def __bool__(self) -> bool:
        # Without this, its length would make an empty span false.
        return True

    def contains(self, offset: int) -> bool:
        """Returns whether `offset` lies in the span or directly at its end, as a cursor does."""
        return self.start <= offset <= self.end

    def covers(self, other: Span) -> bool:
        """Returns whether the whole of `other` lies in the span."""
        return self.start <= other.start and other.end <= self.end

    def shifted(self, by: int) -> Span:
        """The same span `by` code points further on."""
        return Span(self.start + by, self.end + by)


def truncate(text: str, limit: int) -> str:
    """Returns `text`, with an ellipsis in place of what exceeds `limit` characters."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def first_line_span(text: str) -> Span:
    """Returns the first line of a text, without its line end: LF, CR LF or CR, as in `LineIndex`."""
    line_end = _LINE_END.search(text)
    return Span(0, len(text) if line_end is None else line_end.start())


def from_first_visible_line(text: str, span: Span) -> Span:
    """Returns a span without the blanks at its start, if a line ends in them.

    A match of `(?:^|\\n)x` begins at the end of the line before, where no user looks for it.
    """
    visible = _VISIBLE.search(text, span.start, span.end)
    if visible is None or _LINE_END.search(text, span.start, visible.start()) is None:
        return span
    return Span(visible.start(), span.end)


class Position(Struct, frozen=True, order=True, gc=False):
    """A place as editors name it: `line` from 0, `character` from 0 in units of an `Encoding`."""

    line: int
    character: int


class LineIndex:
    """Converts between offsets and positions of one immutable text, in O(log lines + length of the line).

    In ASCII texts, or near the previous offset, a conversion takes O(log lines).
    """

    __slots__ = ("_is_ascii", "_last", "_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = _line_starts(text)
        self._is_ascii = text.isascii()
        self._last = (Encoding.UTF32, 0, 0, 0)
        """The last counted width: its encoding, line, offset, and the width."""

    @property
    def line_count(self) -> int:
        """The number of lines the text has; a text that ends in a line end has an empty last line."""
        return len(self._starts)

    def line_span(self, line: int) -> Span:
        """The span of a line without its line end. Lines past the last are empty spans at the end of the text."""
        if line >= len(self._starts):
            return Span(len(self.text), len(self.text))
        start = self._starts[line]
        if line + 1 == len(self._starts):
            return Span(start, len(self.text))
        end = self._starts[line + 1] - 1
        if end > start and self.text[end - 1 : end + 1] == "\r\n":
            end -= 1
        return Span(start, end)

    def line_text(self, line: int) -> str:
        """The text of a line without its line end."""
        span = self.line_span(line)
        return self.text[span.start : span.end]

    def position(self, offset: int, encoding: Encoding = Encoding.UTF16) -> Position:
        """The position of `offset`; offsets outside the text are taken as its nearest end."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, offset) - 1
        if self._is_ascii or encoding is Encoding.UTF32:
            return Position(line, offset - self._starts[line])
        # Most offsets are near the previous one. Counting a long line from its start each time takes quadratic time.
        start, width = self._starts[line], 0
        last = self._last
        if last[:2] == (encoding, line) and abs(last[2] - offset) < offset - start:
            start, width = last[2:]
        if start <= offset:
            width += _width(self.text[start:offset], encoding)
        else:
            width -= _width(self.text[offset:start], encoding)
        self._last = (encoding, line, offset, width)
        return Position(line, width)

    def offset(self, position: Position, encoding: Encoding = Encoding.UTF16) -> int:
        """The offset of `position`; a character past the end of its line is taken as the line's end.

        A position inside of a character (the second half of a surrogate pair) is taken as the character's start.
        """
        if position.line < 0:
            return 0
        span = self.line_span(position.line)
        wanted = max(position.character, 0)
        line = self.text[span.start : span.end]
        if encoding is Encoding.UTF32 or line.isascii():
            return min(span.start + wanted, span.end)
        width = 0
        for index, char in enumerate(line):
            width += _width(char, encoding)
            if width > wanted:
                return span.start + index
        return span.end


@lru_cache(maxsize=4)
def shared_line_index(text: str) -> LineIndex:
    """Returns the line index of a text that many places refer to, such as a settings file."""
    return LineIndex(text)


def _line_starts(text: str) -> list[int]:
    """The offset of each line.

    The Language Server Protocol knows three line ends, LF, CR LF and CR. `str.splitlines` knows eight more, and a
    model's prose does contain U+2028.
    """
    # Replacements of the same length keep the offsets. A search for each line end takes ten times as long.
    plain = text.replace("\r\n", " \n").replace("\r", "\n")
    return [0, *accumulate([len(line) + 1 for line in plain.split("\n")[:-1]])]


def _width(text: str, encoding: Encoding) -> int:
    if encoding is Encoding.UTF32 or text.isascii():
        return len(text)
    if encoding is Encoding.UTF16:
        return len(text) + sum(char > "\uffff" for char in text)
    return len(text.encode("utf-8", "surrogatepass"))
