"""Skips the choices of a run of units that are not followed by a required text."""

from __future__ import annotations


def find_needle(text: str, size: int, needle: str, value: int, last: int, backward: bool) -> int:
    """Returns the first position from `value` towards `last` at which `needle` starts; backward, at which it ends. -1
    without one.

    A position also counts if the first `size` units of the text end within the needle there.
    """
    length = len(needle)
    if backward:
        if value < last:
            position = text.find(needle, max(0, value - length), last)
        else:
            position = text.rfind(needle, max(0, last - length), value)
        return position if position < 0 else position + length
    last_whole = size - length
    if value > last:
        return value if value > last_whole else text.rfind(needle, last, value + length)
    position = text.find(needle, value, min(last + length, size))
    if position < 0 and last > last_whole:
        return max(value, last_whole + 1)
    return position
