"""Lines, positions and edits of a text, written down anew from the protocol's specification to compare with."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

_LINE_END = re.compile(r"\r\n|\n|\r")
_UNIT_BYTES = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
_CODECS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}


class InvalidPlaceError(Exception):
    """A position is outside of the text, or inside of a character."""


def width(text: str, encoding: str) -> int:
    """How many units of an encoding a text has."""
    return len(text.encode(_CODECS[encoding], "surrogatepass")) // _UNIT_BYTES[encoding]


@lru_cache(16)
def lines(text: str) -> tuple[tuple[int, int], ...]:
    """The start of each line, and its end without the line end."""
    found, start = [], 0
    for end in _LINE_END.finditer(text):
        found.append((start, end.start()))
        start = end.end()
    return (*found, (start, len(text)))


@lru_cache(4096)
def _places(line: str, encoding: str) -> dict[int, int]:
    """The places in a line: by units of an encoding, how many characters are before them."""
    places, units = {0: 0}, 0
    for number, char in enumerate(line, 1):
        units += width(char, encoding)
        places[units] = number
    return places


def position_of(text: str, offset: int, encoding: str) -> dict[str, int]:
    """The position of an offset. An offset inside of a line end is that of its start."""
    number, (start, end) = max(
        (item for item in enumerate(lines(text)) if item[1][0] <= offset), key=lambda item: item[0]
    )
    return {"line": number, "character": width(text[start : min(offset, end)], encoding)}


def offset_of(text: str, position: dict[str, int], encoding: str) -> int:
    """The offset of a position that is in the text. Raises InvalidPlaceError."""
    known = lines(text)
    if not 0 <= position["line"] < len(known):
        raise InvalidPlaceError(f"{position} in a text of {len(known)} lines")
    start, end = known[position["line"]]
    place = _places(text[start:end], encoding).get(position["character"])
    if place is None:
        raise InvalidPlaceError(f"{position} in the line {text[start:end]!r}")
    return start + place


def nearest_offset(text: str, position: dict[str, int], encoding: str) -> int:
    """The offset of any position: past the end of its line it is the line's end, inside of a character its start."""
    known = lines(text)
    if position["line"] >= len(known):
        return len(text)
    start, end = known[position["line"]]
    fitting = [item for item in range(start, end + 1) if width(text[start:item], encoding) <= position["character"]]
    return max(fitting)


def edited(text: str, change: dict[str, Any], encoding: str) -> str:
    """The text after a change of `textDocument/didChange`."""
    if "range" not in change:
        return str(change["text"])
    start, end = (nearest_offset(text, change["range"][side], encoding) for side in ("start", "end"))
    return f"{text[:start]}{change['text']}{text[end:]}"
