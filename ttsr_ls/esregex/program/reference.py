"""Backreferences, in a text that may go on."""

from __future__ import annotations

from collections.abc import Sequence

from ttsr_ls.esregex.program.program import Reference
from ttsr_ls.esregex.tree.canonicalize import canonicalize

AT_END = -2
"""The known text ends within what would have to stand there."""

_MOST_TEXTS = 10_000
_LONGEST_TEXT = 200


class Captures:
    """Gives captures of the same text the same places, so that threads that differ in nothing else are one."""

    __slots__ = ("_places",)

    def __init__(self) -> None:
        self._places: dict[str, tuple[int, int]] = {}

    def of(self, text: str, one: int, other: int) -> tuple[int, int]:
        """Where the text between two places was captured first."""
        span = (one, other) if one < other else (other, one)
        if span[1] - span[0] > _LONGEST_TEXT:
            return span
        if len(self._places) >= _MOST_TEXTS:
            self._places.clear()
        return self._places.setdefault(text[span[0] : span[1]], span)


def steps_of(reference: Reference, registers: Sequence[int]) -> int:
    """How many steps `follow` counts for, beside that of its instruction. Whether something else stands there may only
    show at the end of what was captured."""
    width = max([registers[2 * group + 1] - registers[2 * group] for group in reference.groups])
    return (width if reference.ignore_case else width >> 3) + (len(reference.groups) >> 2)


def follow(reference: Reference, text: str, place: int, size: int, registers: Sequence[int], backward: bool) -> int:
    """The position after the captured text; -1 if the text differs, or `AT_END`."""
    start = end = -1
    for group in reference.groups:
        if registers[2 * group] >= 0:
            start, end = registers[2 * group], registers[2 * group + 1]
    width = end - start
    left = place - width if backward else place
    if left < 0:
        return -1
    known = min(width, size - left)
    captured, there = text[start : start + known], text[left : left + known]
    if captured != there and not (reference.ignore_case and same_ignoring_case(captured, there)):
        return -1
    if known < width:
        return AT_END
    return left if backward else left + width


def same_ignoring_case(one: str, other: str) -> bool:
    """Whether two texts of one length are the same without regard to case, unit by unit."""
    return all(a == b or canonicalize(ord(a)) == canonicalize(ord(b)) for a, b in zip(one, other, strict=True))
