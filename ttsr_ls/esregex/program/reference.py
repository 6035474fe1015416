"""Matches backreferences, in a text that may continue."""

from __future__ import annotations

from collections.abc import Sequence

from ttsr_ls.esregex.program.program import Reference
from ttsr_ls.esregex.tree.canonicalize import canonical_unit

AT_END = -2
"""The known text ends before all of the captured text could be compared."""

_MAX_TEXTS = 10_000
_MAX_TEXT_LENGTH = 200


class CaptureInterner:
    """Maps captures of the same text to one span, so that threads that differ only in such captures are merged."""

    __slots__ = ("_spans",)

    def __init__(self) -> None:
        self._spans: dict[str, tuple[int, int]] = {}

    def intern(self, text: str, first: int, second: int) -> tuple[int, int]:
        """Returns one span for all captures of equal text: the first one that was passed. The positions may be in any
        order.
        """
        span = (first, second) if first < second else (second, first)
        if span[1] - span[0] > _MAX_TEXT_LENGTH:
            return span
        if len(self._spans) >= _MAX_TEXTS:
            self._spans.clear()
        return self._spans.setdefault(text[span[0] : span[1]], span)


def comparison_steps(reference: Reference, registers: Sequence[int]) -> int:
    """Returns the number of steps of `match_reference` in the worst case, beyond that of its instruction."""
    width = max([registers[2 * group + 1] - registers[2 * group] for group in reference.groups])
    return (width if reference.ignore_case else width >> 3) + (len(reference.groups) >> 2)


def match_reference(
    reference: Reference, text: str, position: int, size: int, registers: Sequence[int], backward: bool
) -> int:
    """Returns the position after the captured text; -1 if the text differs, `AT_END` if the known text ends
    within it.
    """
    start = end = -1
    for group in reference.groups:
        if registers[2 * group] >= 0:
            start, end = registers[2 * group], registers[2 * group + 1]
    width = end - start
    left = position - width if backward else position
    if left < 0:
        return -1
    known_count = min(width, size - left)
    captured, there = text[start : start + known_count], text[left : left + known_count]
    if captured != there and not (reference.ignore_case and same_ignoring_case(captured, there)):
        return -1
    if known_count < width:
        return AT_END
    return left if backward else left + width


def same_ignoring_case(first: str, second: str) -> bool:
    """Returns whether two texts of equal length are equal under the flag `i`, unit by unit."""
    return all(a == b or canonical_unit(ord(a)) == canonical_unit(ord(b)) for a, b in zip(first, second, strict=True))
