"""What may be printed on a terminal, and in which colours.

Rule files, transcripts and agents are hostile: an escape sequence in one must not reach the terminal. Everything of
theirs that a command prints goes through `printable` first.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from enum import Enum
from typing import TextIO

# Controls except tab and newline, the bidirectional controls, zero-width characters, line separators that only some
# programs honour, the byte order mark, and lone surrogates.
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)


def printable(text: str) -> str:
    """`text` with every character that a terminal would obey or hide written as an escape such as `\\x1b`."""
    return _UNPRINTABLE.sub(_escaped, text)


def one_line(text: str) -> str:
    """`printable` text on a single line: line ends and tabs are written as escapes too."""
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")


class Style(Enum):
    """The parts of a report that are coloured, with their terminal codes."""

    ERROR = "1;31"
    WARNING = "1;33"
    INFO = "1;36"
    HINT = "36"
    GOOD = "32"
    STRONG = "1"
    FAINT = "2"


class Palette:
    """Colours text, or leaves it as it is."""

    __slots__ = ("is_coloured",)

    def __init__(self, is_coloured: bool) -> None:
        self.is_coloured = is_coloured

    def paint(self, text: str, style: Style) -> str:
        """`text` in the colours of `style`; plain where the output has no colours."""
        return f"\x1b[{style.value}m{text}\x1b[0m" if self.is_coloured and text else text


def palette_for(stream: TextIO, environment: Mapping[str, str] = os.environ) -> Palette:
    """Colours where `stream` is a terminal and nobody asked for none (https://no-color.org)."""
    if environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        return Palette(False)
    return Palette(bool(environment.get("FORCE_COLOR")) or stream.isatty())


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
