"""Texts as sequences of UTF-16 code units.

ECMAScript without the `u` flag sees code units. A *unit text* here is a Python `str` in which every character is one
unit (no character above U+FFFF): a character beyond the basic plane is written as its two surrogates. `json.loads` and
similar functions join surrogates only in escapes, so a unit text must never be passed to anything that encodes it as
UTF-8.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from sys import getsizeof

from ttsr_ls.text import Span

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def to_units(text: str) -> str:
    """Returns `text` with every character above U+FFFF replaced by its surrogate pair; the same object if there is
    none.
    """
    # A text with a character above U+FFFF takes four bytes a character. This avoids a search, which takes milliseconds
    # for a long text.
    if text.isascii() or getsizeof(text) < 4 * len(text):
        return text
    return _ASTRAL.sub(_pair, text)


def code_point_offset(text: str, unit: int) -> int:
    """Converts the unit offset `unit` in `to_units(text)` to an offset in `text`. An offset inside a pair becomes the
    pair's start.
    """
    if text.isascii():
        return min(unit, len(text))
    pairs = _pairs(text)
    before = bisect_right(pairs, unit)
    if before and unit == pairs[before - 1] + 1:
        return pairs[before - 1] - (before - 1)
    return min(unit - before + (before > 0 and pairs[before - 1] == unit), len(text))


def code_point_span(text: str, units: Span, offset: int = 0) -> Span:
    """Converts a span in units of `to_units(text)`, after `offset` more units, to a span of `text`."""
    return Span(code_point_offset(text, offset + units.start), code_point_offset(text, offset + units.end))


@lru_cache(maxsize=8)
def _pairs(text: str) -> tuple[int, ...]:
    """The unit offsets of the surrogate pairs of a text. Cached, because many offsets of one text are converted."""
    return tuple([match.start() + number for number, match in enumerate(_ASTRAL.finditer(text))])


def _pair(match: re.Match[str]) -> str:
    beyond = ord(match[0]) - 0x10000
    return chr(0xD800 + (beyond >> 10)) + chr(0xDC00 + (beyond & 0x3FF))
