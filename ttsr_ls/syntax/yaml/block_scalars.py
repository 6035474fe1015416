"""Block scalars: the literal `|` and the folded `>`, with their indentation and line ends."""

from __future__ import annotations

import re

from msgspec import Struct

from ttsr_ls.syntax.yaml.cursor import YamlCursor
from ttsr_ls.syntax.yaml.errors import YamlError
from ttsr_ls.syntax.yaml.lexeme import Lexeme, TextRun

# The reference's runtime also accepts blanks between the sign, the digit and the chomping.
_HEADER = re.compile(
    r"[|>](?:[ \t]*([1-9])(?:[ \t]*([+-]))?|[ \t]*([+-])(?:[ \t]*([1-9]))?)?(?:[ \t]+#[^\n]*|[ \t]*)(?=\n|\Z)"
)


class _Line(Struct, frozen=True):
    """The content of a line, without its indentation; empty lines have `start == end`."""

    start: int
    end: int
    spaced: bool
    """It begins with a blank, so folding leaves the line ends around it alone."""


def read_block_scalar(cursor: YamlCursor, indent: int) -> Lexeme:
    """Reads a block scalar in a node at column `indent`. Raises `YamlError` for a bad header or indentation."""
    start = cursor.offset
    header = _HEADER.match(cursor.text, start)
    if header is None:
        raise YamlError("only `+`, `-`, one digit and a comment can follow the sign of a block scalar", start)
    digit, chomping = header[1] or header[4], header[2] or header[3] or ""
    cursor.go_to(header.end())
    width = max(indent, 0) + int(digit) if digit else _detected_width(cursor, indent)
    lines = _read_lines(cursor, width)
    last = max((index for index, line in enumerate(lines) if line.start < line.end), default=-1)
    runs = _content(cursor.text, lines[: last + 1], cursor.text[start])
    end = lines[last].end if last >= 0 else header.end()
    if chomping == "+":
        runs.extend(("\n", line.end, line.end) for line in (lines[last:] if last >= 0 else lines))
    elif chomping == "" and last >= 0:
        runs.append(("\n", end, end))
    return Lexeme(tuple(runs), start, end, plain=False)


def _detected_width(cursor: YamlCursor, indent: int) -> int:
    """Returns the indentation of the first line that is not empty. No empty line before it may be indented deeper."""
    text, end = cursor.text, cursor.offset
    widest = 0
    while end < len(text):
        start = end + 1
        end = _line_end(text, start)
        width = cursor.indentation(start)
        if start + width < end:
            if cursor.is_marker(start) or width <= indent:
                break
            if width < widest:
                raise YamlError("an empty line of the block scalar is indented deeper than its text", start)
            return width
        widest = max(widest, width)
    return max(widest, indent + 1)


def _read_lines(cursor: YamlCursor, width: int) -> list[_Line]:
    """Returns the lines of the scalar. Leaves the cursor at the end of the last one."""
    text = cursor.text
    lines = []
    while cursor.offset < len(text):
        start = cursor.offset + 1
        end = _line_end(text, start)
        spaces = cursor.indentation(start)
        if spaces < width and start + spaces < end:
            break
        if cursor.is_marker(start):
            break
        cursor.next_line()
        content = min(start + width, end)
        # A final line end does not make another line.
        if start < len(text):
            lines.append(_Line(content, end, text[content : content + 1] in (" ", "\t")))
        cursor.offset = end
    return lines


def _content(text: str, lines: list[_Line], style: str) -> list[TextRun]:
    """The lines up to the last with content, and the line ends between them; `style` is `|` or `>`."""
    runs: list[TextRun] = []
    previous: _Line | None = None
    breaks = 0
    for line in lines:
        if line.start == line.end:
            breaks += 1
            continue
        begin = previous.end if previous is not None else lines[0].start
        count = breaks if previous is None else breaks + 1
        if style == ">" and previous is not None and not (previous.spaced or line.spaced):
            count = breaks
        if count or previous is not None:
            runs.append(("\n" * count or " ", begin, line.start))
        runs.append((text[line.start : line.end], line.start, line.end))
        previous, breaks = line, 0
    return runs


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return end if end >= 0 else len(text)
