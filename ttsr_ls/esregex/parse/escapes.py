"""Escapes that denote a character or a kind of character. They are the same inside and outside of classes, except where
noted.
"""

from __future__ import annotations

import re

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.tree.nodes import CharForm
from ttsr_ls.esregex.tree.unit_set import UnitSet
from ttsr_ls.text import Span

LINE_TERMINATORS = UnitSet(((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029)))
"""The line terminators of ECMAScript; `.` without `s` matches all other units."""

DIGITS = UnitSet(((0x30, 0x39),))
WORD_UNITS = UnitSet(((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)))
SPACES = UnitSet(
    (
        (0x09, 0x0D),
        (0x20, 0x20),
        (0xA0, 0xA0),
        (0x1680, 0x1680),
        (0x2000, 0x200A),
        (0x2028, 0x2029),
        (0x202F, 0x202F),
        (0x205F, 0x205F),
        (0x3000, 0x3000),
        (0xFEFF, 0xFEFF),
    )
)

CLASS_ESCAPES = {
    "d": DIGITS,
    "D": ~DIGITS,
    "s": SPACES,
    "S": ~SPACES,
    "w": WORD_UNITS,
    "W": ~WORD_UNITS,
}
"""By the letter after the backslash. All are closed under case already: no digit, space or `_` has a case, and
letters of ASCII equal no others (see `canonicalize`)."""

_CONTROLS = {"t": 0x09, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D}
_HEX = re.compile(r"x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})")
_OCTAL = re.compile(r"[0-3][0-7]{0,2}|[4-7][0-7]?")


def read_character_escape(source: str, position: int) -> tuple[int, CharForm, int]:
    r"""Returns the unit that the escape with its backslash at `position` denotes, the form in which it is written, and
    the offset after it.

    Annex B: an incomplete escape stands for itself (`\xg` is `x`), `\c` without a letter is a literal backslash, and
    digits are octal (ECMA-262 B.1.2). Raises `RegexSyntaxError` for a backslash at the end of the pattern.
    """
    if position + 1 >= len(source):
        raise RegexSyntaxError(
            "A backslash at the end escapes nothing; for a literal backslash write \\\\.", Span(position, position + 1)
        )
    char = source[position + 1]
    if char in _CONTROLS:
        return _CONTROLS[char], CharForm.ESCAPE, position + 2
    if char == "c":
        return _control(source, position)
    if char in "xu" and (hexadecimal := _HEX.match(source, position + 1)):
        return int(hexadecimal[1] or hexadecimal[2], 16), CharForm.ESCAPE, hexadecimal.end()
    if octal := _OCTAL.match(source, position + 1):
        return int(octal[0], 8), CharForm.ESCAPE, octal.end()
    return ord(char), CharForm.LITERAL, position + 2


def _control(source: str, position: int) -> tuple[int, CharForm, int]:
    letter = source[position + 2 : position + 3]
    if letter.isascii() and letter.isalpha():
        return ord(letter) % 32, CharForm.ESCAPE, position + 3
    return ord("\\"), CharForm.LITERAL, position + 1
