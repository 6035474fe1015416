"""A position in a YAML text, and the moves of all parts of the grammar: blanks, comments, lines.

Must not know about nodes or scalars.
"""

from __future__ import annotations

import re

_BLANKS = re.compile(r"[ \t]*")
_COMMENT = re.compile(r"#[^\n]*")
_DOCUMENT_MARKER = re.compile(r"(?:---|\.\.\.)(?=[ \t\n]|\Z)")
_INDENTATION = re.compile(r" *")


class YamlCursor:
    """The current `offset` in `text`, and the start of its line."""

    __slots__ = ("line_start", "offset", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.offset = 0
        self.line_start = 0

    @property
    def column(self) -> int:
        """The number of characters before the offset in its line."""
        return self.offset - self.line_start

    def peek(self, ahead: int = 0) -> str:
        """Returns the character `ahead` of the offset; the empty string past the end."""
        return self.text[self.offset + ahead : self.offset + ahead + 1]

    def at_end(self) -> bool:
        """Returns whether the text, or the current document, ends here."""
        return self.offset >= len(self.text) or self.at_marker()

    def at_marker(self) -> bool:
        """Returns whether a line with `---` or `...` begins here."""
        return self.offset == self.line_start and self.is_marker(self.offset)

    def is_marker(self, line_start: int) -> bool:
        """Returns whether the line at `line_start` begins with `---` or `...`."""
        return _DOCUMENT_MARKER.match(self.text, line_start) is not None

    def is_blank_at(self, ahead: int) -> bool:
        """Returns whether the character `ahead` of the offset is a blank, a line end or the end of the text."""
        return self.peek(ahead) in ("", " ", "\t", "\n")

    def at_indicator(self, char: str) -> bool:
        """Returns whether the indicator `char` is here, followed by a blank or a line end."""
        return self.peek() == char and self.is_blank_at(1)

    def skip_blanks(self) -> None:
        """Moves past the blanks of this line."""
        self.offset = _end(_BLANKS, self.text, self.offset)

    def skip_line_rest(self) -> bool:
        """Moves past blanks and a comment of this line. Returns whether the line then ends."""
        self.skip_blanks()
        if self.peek() == "#" and (self.column == 0 or self.text[self.offset - 1] in " \t"):
            self.offset = _end(_COMMENT, self.text, self.offset)
        return self.peek() in ("", "\n")

    def skip_space(self) -> bool:
        """Moves past blanks, comments and line ends, to the next content. Returns whether it passed a line end."""
        crossed = False
        while self.skip_line_rest() and self.peek() == "\n":
            self.next_line()
            crossed = True
        return crossed

    def next_line(self) -> None:
        """Moves from a line end to the start of the next line."""
        self.offset += 1
        self.line_start = self.offset

    def go_to(self, offset: int) -> None:
        """Moves to a later offset, which may be on another line."""
        start = self.text.rfind("\n", self.offset, offset)
        if start >= 0:
            self.line_start = start + 1
        self.offset = offset

    def indentation(self, line_start: int) -> int:
        """Returns the number of spaces at the start of the line at `line_start`."""
        return _end(_INDENTATION, self.text, line_start) - line_start


def _end(pattern: re.Pattern[str], text: str, offset: int) -> int:
    """Returns the end of a match at an offset; the pattern can match the empty text."""
    match = pattern.match(text, offset)
    return match.end() if match is not None else offset
