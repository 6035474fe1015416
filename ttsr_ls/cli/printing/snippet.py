"""Shows a span of a text as compilers do: the line with its number, and carets below the span.

Lines of hostile files may be a megabyte long or full of characters without a width, so a line is truncated around the
span and measured in terminal columns.
"""

from __future__ import annotations

import unicodedata

from ttsr_ls.cli.printing.terminal import printable
from ttsr_ls.text import Encoding, LineIndex, Span

_MAX_LENGTH = 120
_MAX_BEFORE = 60


def code_excerpt(index: LineIndex, span: Span) -> tuple[str, str]:
    """The line that a span starts on, with its number, and the line of carets to put below it."""
    place = index.position(span.start, Encoding.UTF32)
    line = index.line_span(place.line)
    start = min(span.start, line.end)
    end = min(max(span.end, start), line.end)
    first = line.start if line.end - line.start <= _MAX_LENGTH else max(line.start, start - _MAX_BEFORE)
    last = min(line.end, first + _MAX_LENGTH)
    end = min(end, last)
    before = _shown(index.text[first:start])
    marked_text = _shown(index.text[start:end])
    after = _shown(index.text[end:last])
    left, right = "…" if first > line.start else "", "…" if last < line.end else ""
    number = str(place.line + 1)
    gutter = f"{number:>5} | "
    continues = place.line + 1 < index.line_count and span.end > index.line_span(place.line + 1).start
    carets = "^" * max(_columns(marked_text), 1) + ("…" if continues else "")
    return (
        f"{gutter}{left}{before}{marked_text}{after}{right}".rstrip(),
        " " * 5 + " | " + " " * _columns(left + before) + carets,
    )


def _shown(text: str) -> str:
    return printable(text.replace("\t", "    ").rstrip("\r\n"))


def _columns(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(_width(char) for char in text)


def _width(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
