"""Texts as sequences of UTF-16 code units.

ECMAScript without the `u` flag sees code units. A *unit text* here is a Python `str` in which every character is one
unit (no character above U+FFFF): a character beyond the basic plane stands as its two surrogates. `json.loads` and
friends join surrogates only in escapes, so a unit text must never be handed to something that encodes it as UTF-8.
"""

from __future__ import annotations

import re

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def to_units(text: str) -> str:
    """`text` with every character above U+FFFF replaced by its surrogate pair; the same object where there is none."""
    if text.isascii():
        return text
    return _ASTRAL.sub(_pair, text)


def code_point_offset(text: str, unit: int) -> int:
    """The offset in `text` of the unit offset `unit` in `to_units(text)`; inside of a pair, the pair's start."""
    if text.isascii():
        return min(unit, len(text))
    width = 0
    for index, char in enumerate(text):
        width += 1 + (char > "\uffff")
        if width > unit:
            return index
    return len(text)


def _pair(match: re.Match[str]) -> str:
    beyond = ord(match[0]) - 0x10000
    return chr(0xD800 + (beyond >> 10)) + chr(0xDC00 + (beyond & 0x3FF))
