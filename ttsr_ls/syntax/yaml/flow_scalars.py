"""Plain, single-quoted and double-quoted scalars: escapes and the folding of lines.

Each function leaves the cursor after the scalar. Further lines must be indented beyond column `indent`.
"""

from __future__ import annotations

import re

from ttsr_ls.syntax.yaml.context import YamlContext
from ttsr_ls.syntax.yaml.cursor import YamlCursor
from ttsr_ls.syntax.yaml.errors import YamlError
from ttsr_ls.syntax.yaml.lexeme import Lexeme, TextRun

QUOTE_NOT_CLOSED = "the quote is not closed"

ESCAPES = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
    " ": " ", '"': '"', "/": "/", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
HEX_ESCAPES = {"x": 2, "u": 4, "U": 8}

_HEX = re.compile(r"[0-9a-fA-F]+")
NEXT_ENTRY = re.compile(r"""(?:(["']?)[\w-]+\1[ \t]*:(?=[ \t\n]|\Z)|-(?=[ \t\n])|#|\Z)""")
"""The start of a line that does not continue a quoted text: a key, an item, a comment, or the end."""
_BREAK = re.compile(r"[ \t]*\n[ \t\n]*")
_SINGLE_RUN = re.compile(r"[^'\n \t]+|[ \t]+(?![ \t\n])")
_DOUBLE_RUN = re.compile(r'[^"\\\n \t]+|[ \t]+(?![ \t\n])')


def _plain_line(excluded: str, first: str) -> re.Pattern[str]:
    """One line of a plain scalar. `excluded` ends it everywhere, `first` cannot begin it."""
    colon = rf":(?![ \t\n{excluded}]|\Z)"
    begin = rf"(?:[^ \t\n:#{excluded}{first}]|{colon}"
    begin += rf"|[?-](?![ \t\n{excluded}]|\Z))" if first else ")"
    details = rf"(?:[^ \t\n:{excluded}]|{colon})*"
    return re.compile(rf"{begin}{details}(?:[ \t]+(?:[^ \t\n:#{excluded}]|{colon}){details})*")


_FLOW = r",\[\]{}"
_FIRST = r"\-?\[\]{}&*!|>'\"%@`"
# The first line of a plain scalar, and those after it.
_PLAIN_LINES = {
    YamlContext.BLOCK: (_plain_line("", _FIRST), _plain_line("", "")),
    YamlContext.FLOW: (_plain_line(_FLOW, _FIRST), _plain_line(_FLOW, "")),
}


def read_plain(cursor: YamlCursor, indent: int, context: YamlContext) -> Lexeme | None:
    """Parses a plain scalar; returns None if none can begin here."""
    start_pattern, more_pattern = _PLAIN_LINES[context]
    start, text = cursor.offset, cursor.text
    match = start_pattern.match(text, start)
    if match is None:
        return None
    runs: list[TextRun] = [(match[0], start, match.end())]
    end = match.end()
    cursor.offset = end
    while gap := _BREAK.match(text, end):
        line = text.rfind("\n", end, gap.end()) + 1
        match = more_pattern.match(text, gap.end())
        if match is None or cursor.indentation(line) <= indent or cursor.is_marker(line):
            break
        runs.append((_folded(gap[0]), end, gap.end()))
        runs.append((match[0], gap.end(), match.end()))
        end = match.end()
        cursor.go_to(end)
    return Lexeme(tuple(runs), start, end, plain=True)


def read_single_quoted(cursor: YamlCursor, indent: int) -> Lexeme:
    """Parses a single-quoted scalar. Raises `YamlError` if it is not closed or not indented."""
    start = cursor.offset
    cursor.offset += 1
    runs: list[TextRun] = []
    while True:
        begin = cursor.offset
        if match := _SINGLE_RUN.match(cursor.text, begin):
            cursor.offset = match.end()
            runs.append((match[0], begin, match.end()))
        elif cursor.peek() != "'":
            runs.append(_fold(cursor, indent, start))
        elif cursor.peek(1) == "'":
            cursor.offset += 2
            runs.append(("'", begin, begin + 2))
        else:
            cursor.offset += 1
            return Lexeme(tuple(runs), start, cursor.offset, plain=False)


def read_double_quoted(cursor: YamlCursor, indent: int) -> Lexeme:
    """Parses a double-quoted scalar. Raises `YamlError` if it is not closed or indented, or has an unknown escape."""
    start = cursor.offset
    cursor.offset += 1
    runs: list[TextRun] = []
    while True:
        begin = cursor.offset
        if match := _DOUBLE_RUN.match(cursor.text, begin):
            cursor.offset = match.end()
            runs.append((match[0], begin, match.end()))
        elif cursor.peek() == "\\":
            runs.append(_escaped_break(cursor, indent, start) if cursor.peek(1) == "\n" else _escape(cursor))
        elif cursor.peek() == '"':
            cursor.offset += 1
            return Lexeme(tuple(runs), start, cursor.offset, plain=False)
        else:
            runs.append(_fold(cursor, indent, start))


def _escape(cursor: YamlCursor) -> TextRun:
    """A backslash and what follows it."""
    begin = cursor.offset
    char = cursor.peek(1)
    if char in ESCAPES:
        cursor.offset += 2
        return ESCAPES[char], begin, cursor.offset
    if char not in HEX_ESCAPES:
        raise YamlError(f"`\\{char}` is not an escape that YAML knows", begin)
    cursor.offset += 2
    code, digits_end = _hex_digits(cursor, HEX_ESCAPES[char], begin)
    cursor.offset = digits_end
    if 0xD800 <= code < 0xDC00 and char == "u" and cursor.peek() == "\\" and cursor.peek(1) == "u":
        cursor.offset += 2
        low, digits_end = _hex_digits(cursor, 4, begin)
        cursor.offset = digits_end
        if 0xDC00 <= low < 0xE000:
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
    if code > 0x10FFFF or 0xD800 <= code < 0xE000:
        raise YamlError("the escape is not a character", begin)
    return chr(code), begin, cursor.offset


def _hex_digits(cursor: YamlCursor, count: int, begin: int) -> tuple[int, int]:
    end = cursor.offset + count
    if _HEX.fullmatch(cursor.text, cursor.offset, end) is None or end > len(cursor.text):
        raise YamlError(f"the escape needs {count} hexadecimal digits", begin)
    return int(cursor.text[cursor.offset : end], 16), end


def _fold(cursor: YamlCursor, indent: int, start: int) -> TextRun:
    """A line end in quotes, with the blanks around it: a space, or a line end for each empty line."""
    begin = cursor.offset
    gap = _BREAK.match(cursor.text, begin)
    if gap is None:
        raise YamlError(QUOTE_NOT_CLOSED, start)
    _cross(cursor, gap.end(), indent, start)
    return _folded(gap[0]), begin, gap.end()


def _escaped_break(cursor: YamlCursor, indent: int, start: int) -> TextRun:
    begin = cursor.offset
    cursor.offset += 1
    folded, _, end = _fold(cursor, indent, start)
    return folded.removeprefix(" "), begin, end


def _cross(cursor: YamlCursor, offset: int, indent: int, start: int) -> None:
    cursor.go_to(offset)
    if cursor.indentation(cursor.line_start) <= indent or cursor.at_marker():
        # Before a key, an item, a comment or the end, the quote was forgotten. Else the indentation was.
        if cursor.at_marker() or NEXT_ENTRY.match(cursor.text, offset):
            raise YamlError(QUOTE_NOT_CLOSED, start)
        raise YamlError("a quoted text must be indented on its further lines", offset)


def _folded(gap: str) -> str:
    return "\n" * (gap.count("\n") - 1) or " "
