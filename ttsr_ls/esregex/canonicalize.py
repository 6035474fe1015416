"""Case-insensitivity as ECMAScript defines it without the flags `u` and `v` (ECMA-262, Canonicalize).

Two units are the same under `i` when they have the same upper case, where an upper case of several units does not
count, nor one that would turn a unit beyond ASCII into an ASCII one: `ſ`, `ı` and the Kelvin sign equal only
themselves. So ASCII closes within ASCII, and the table for the rest is built only when a pattern needs it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cache, lru_cache

from ttsr_ls.esregex.unit_set import LAST_UNIT, UnitSet

_LAST_ASCII = 0x7F
_CASE_BIT = 0x20

# Upper cases that Unicode 16 and 17 added in the basic plane: Python 3.11 does not know them, and what a pattern
# matches must not depend on the version of Python. JavaScriptCore does not know them either, V8 does.
_LATER_UPPER = {
    0x019B: 0xA7DC,
    0x0264: 0xA7CB,
    0x1C8A: 0x1C89,
    0xA7CD: 0xA7CC,
    0xA7CF: 0xA7CE,
    0xA7D3: 0xA7D2,
    0xA7D5: 0xA7D4,
    0xA7DB: 0xA7DA,
}


def canonicalize(unit: int) -> int:
    """The unit that stands for all units that equal `unit` under `i`."""
    if unit in _LATER_UPPER:
        return _LATER_UPPER[unit]
    upper = chr(unit).upper()
    if len(upper) != 1:
        return unit
    canonical = ord(upper)
    if canonical > LAST_UNIT or (unit > _LAST_ASCII >= canonical):
        return unit
    return canonical


@lru_cache(maxsize=4096)
def close_over_case(units: UnitSet) -> UnitSet:
    """`units` and every unit that equals one of them under `i`."""
    ranges = list(units.ranges)
    for low, high in units.ranges:
        if low <= _LAST_ASCII:
            ranges += _ascii_counterparts(low, min(high, _LAST_ASCII))
        if high > _LAST_ASCII:
            ranges += _other_counterparts(max(low, _LAST_ASCII + 1), high)
    return UnitSet.of(ranges)


def _ascii_counterparts(low: int, high: int) -> list[tuple[int, int]]:
    found = []
    for first, last, shift in ((0x41, 0x5A, _CASE_BIT), (0x61, 0x7A, -_CASE_BIT)):
        start, end = max(low, first), min(high, last)
        if start <= end:
            found.append((start + shift, end + shift))
    return found


def _other_counterparts(low: int, high: int) -> list[tuple[int, int]]:
    cased, counterparts = _case_table()
    found: list[tuple[int, int]] = []
    for index in range(bisect_left(cased, low), bisect_right(cased, high)):
        found += counterparts[index]
    return found


@cache
def _case_table() -> tuple[list[int], list[list[tuple[int, int]]]]:
    """The units beyond ASCII that equal others, in order, and beside them those others as ranges."""
    classes: dict[int, list[int]] = {}
    for unit in range(_LAST_ASCII + 1, LAST_UNIT + 1):
        canonical = canonicalize(unit)
        if canonical != unit:
            classes.setdefault(canonical, [canonical]).append(unit)
    others: dict[int, list[tuple[int, int]]] = {}
    for members in classes.values():
        for unit in members:
            others[unit] = [(other, other) for other in members if other != unit]
    cased = sorted(others)
    return cased, [others[unit] for unit in cased]
