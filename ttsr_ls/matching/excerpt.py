"""Converts unit offsets of a stream to code points, and extracts short excerpts for users.

An offset inside of a surrogate pair, where a delta may end and a condition may match, is rounded outwards. All answers
depend only on the units up to the offset, and so not on how the stream was split.
"""

from __future__ import annotations

import re

from ttsr_ls.rules.stream import Excerpt

MAX_EXCERPT = 200
"""The longest excerpt, in code points."""

LEADING_CONTEXT = 80
"""How much is shown of what stands before the match, in code points."""

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def code_points_before(units: str, end: int) -> int:
    """Returns the number of code points that begin in `units[:end]`. A pair that `end` splits counts as one."""
    return end if units.isascii() else end - sum(1 for _ in _PAIR.finditer(units, 0, end))


def code_point_span(units: str, start: int, end: int) -> tuple[int, int]:
    """Converts the span `units[start:end]` to code points. Split pairs belong to it as a whole."""
    first = code_points_before(units, start)
    if start < end and _splits_pair(units, start):
        first -= 1
    return first, code_points_before(units, end)


def excerpt(units: str, start: int, end: int) -> Excerpt:
    """Returns `units[start:end]` with some preceding text, at most `MAX_EXCERPT` characters.

    A longer match is cut at its end. Text after the match is never included: how much of it is known depends on how the
    stream was split. Lone surrogates become U+FFFD, so that the text can be encoded.
    """
    if _splits_pair(units, start):
        start += -1 if start < end else 1
    end = max(start, end + _splits_pair(units, end))
    # A code point is at most two units.
    begin = max(0, start - 2 * LEADING_CONTEXT)
    before = _shown(units[begin - _splits_pair(units, begin) : start])[-LEADING_CONTEXT:]
    matched_text = _shown(units[start : min(end, start + 2 * MAX_EXCERPT)])
    text = (before + matched_text)[:MAX_EXCERPT]
    return Excerpt(text, len(before), len(text))


def _shown(units: str) -> str:
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _splits_pair(units: str, position: int) -> bool:
    return position > 0 and _PAIR.match(units, position - 1, position + 1) is not None
