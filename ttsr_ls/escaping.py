"""Escapes characters that a terminal, an editor's log or a CI log would obey or hide.

Rule files, transcripts, file names and agents are hostile. Their text is escaped before it is printed, logged or shown.
Escaping twice gives the same text as escaping once.
"""

from __future__ import annotations

import re

# Controls except tab and newline, the bidirectional controls, zero-width characters, line separators that only some
# programs honour, the byte order mark, and lone surrogates.
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)


def printable(text: str) -> str:
    """Returns `text` with every character that a terminal would obey or hide as an escape such as `\\x1b`."""
    return _UNPRINTABLE.sub(_escape, text)


def one_line(text: str) -> str:
    """Returns the `printable` text on a single line: line ends and tabs are escaped, too."""
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")


def well_formed(text: str) -> str:
    """Returns `text` with surrogate pairs joined, and each lone surrogate as U+FFFD, so that UTF-8 can encode it."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
