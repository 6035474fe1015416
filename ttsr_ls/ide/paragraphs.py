"""Joins and wraps the lines of paragraphs in Markdown.

Where Markdown is written by hand, a paragraph has several lines. An editor or a terminal that keeps these line ends
and breaks long lines as well shows ragged lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_FENCE = re.compile(r" *(`{3,}|~{3,})")
_ITEM = re.compile(r" *(?:[-*+]|\d{1,9}[.)]) +")
_RULER = re.compile(r" *(?:-{3,}|\*{3,}|_{3,}|={3,}) *")
_NO_PROSE = ("|", "#", ">", "<", "\t", "    ")
_HARD_BREAKS = ("  ", "\\")
# Code is never broken: its blanks count.
_WORD = re.compile(r"(?:(?P<ticks>`+).*?(?P=ticks)(?!`)|\S)+")


def join_lines(markdown: str) -> str:
    """Returns the Markdown with each paragraph and each item of a list on one line. Its meaning stays the same."""
    joined: list[str] = []
    is_open = False
    for line, is_prose in _marked_lines(markdown):
        if is_prose and is_open and _ITEM.match(line) is None:
            joined[-1] = f"{joined[-1]} {line.lstrip()}"
        else:
            joined.append(line)
        is_open = is_prose and not line.endswith(_HARD_BREAKS)
    return "\n".join(joined)


def wrap_lines(markdown: str, width: int) -> str:
    """Returns the Markdown with paragraphs and items of at most `width` characters a line, where words allow that."""
    lines: list[str] = []
    for line, is_prose in _marked_lines(join_lines(markdown)):
        lines.extend(_wrapped(line, width) if is_prose else [line])
    return "\n".join(lines)


def _marked_lines(markdown: str) -> Iterator[tuple[str, bool]]:
    """The lines, and for each whether it is part of a paragraph or of an item."""
    fence: str | None = None
    is_open = False
    for line in markdown.split("\n"):
        mark = _FENCE.match(line)
        if fence is not None:
            is_open = False
            fence = None if line.strip() == fence else fence
        elif mark is not None:
            is_open = False
            fence = mark[1]
        else:
            # Within a paragraph, an indented line is no code.
            starts = line.lstrip() if is_open else line
            is_open = bool(line.strip()) and not starts.startswith(_NO_PROSE) and _RULER.fullmatch(line) is None
        yield line, is_open


def _wrapped(line: str, width: int) -> list[str]:
    item = _ITEM.match(line)
    first = item[0] if item is not None else line[: len(line) - len(line.lstrip())]
    further = " " * len(first)
    rows: list[str] = []
    row, is_empty = first, True
    for word in _WORD.finditer(line, len(first)):
        if not is_empty and len(row) + 1 + len(word[0]) > width:
            rows.append(row)
            row, is_empty = further, True
        row = f"{row}{'' if is_empty else ' '}{word[0]}"
        is_empty = False
    return [*rows, row + ("  " if line.endswith("  ") else "")]
