"""Case-insensitivity as ECMAScript defines it without the flags `u` and `v` (ECMA-262, Canonicalize).

Two units are equal under `i` if they have the same upper case. An upper case that has several units, or that is ASCII
where the unit is not, is ignored: `ſ`, `ı` and the Kelvin sign equal only themselves. So ASCII is closed under `i`, and
the table for the rest is built only when a pattern needs it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cache

from msgspec import Struct

from ttsr_ls.esregex.tree.unit_set import LAST_UNIT, UnitSet

_LAST_ASCII = 0x7F
_CASE_BIT = 0x20
_BLOCK = 64

# Upper cases that Unicode 16 and 17 added in the basic plane. Python 3.11 lacks them, and the matches of a pattern must
# not depend on the version of Python. JavaScriptCore lacks them, too; V8 has them.
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


def canonical_unit(unit: int) -> int:
    """Returns the representative of all units that equal `unit` under `i`."""
    if unit in _LATER_UPPER:
        return _LATER_UPPER[unit]
    upper = chr(unit).upper()
    if len(upper) != 1:
        return unit
    canonical = ord(upper)
    if canonical > LAST_UNIT or (unit > _LAST_ASCII >= canonical):
        return unit
    return canonical


def close_over_case(units: UnitSet) -> UnitSet:
    """Returns `units` and every unit that equals one of them under `i`."""
    ranges = list(units.ranges)
    for low, high in units.ranges:
        if low <= _LAST_ASCII:
            ranges += _ascii_counterparts(low, min(high, _LAST_ASCII))
        if high > _LAST_ASCII:
            ranges += _counterparts_beyond_ascii(max(low, _LAST_ASCII + 1), high)
    return UnitSet.of(ranges)


def _ascii_counterparts(low: int, high: int) -> list[tuple[int, int]]:
    found = []
    for first, last, shift in ((0x41, 0x5A, _CASE_BIT), (0x61, 0x7A, -_CASE_BIT)):
        start, end = max(low, first), min(high, last)
        if start <= end:
            found.append((start + shift, end + shift))
    return found


def _counterparts_beyond_ascii(low: int, high: int) -> list[tuple[int, int]]:
    table = _case_table()
    start, end = bisect_left(table.cased, low), bisect_right(table.cased, high)
    first_block, end_block = -(-start // _BLOCK), end // _BLOCK
    parts = [*table.others[start:end]]
    if first_block < end_block:
        parts[first_block * _BLOCK - start : end_block * _BLOCK - start] = table.others_of_blocks[first_block:end_block]
    return [bounds for part in parts for bounds in part if bounds[0] < low or bounds[1] > high]


_Ranges = tuple[tuple[int, int], ...]


class _CaseTable(Struct, frozen=True):
    """The sorted units beyond ASCII that equal other units (`cased`), and for each of them these units (`others`).

    `others_of_blocks` has the union of `others` for each block of `_BLOCK` units. It makes wide ranges cheap: a hostile
    pattern can contain thousands of them, all different.
    """

    cased: tuple[int, ...]
    others: tuple[_Ranges, ...]
    others_of_blocks: tuple[_Ranges, ...]


@cache
def _case_table() -> _CaseTable:
    classes: dict[int, list[int]] = {}
    for unit in range(_LAST_ASCII + 1, LAST_UNIT + 1):
        canonical = canonical_unit(unit)
        if canonical != unit:
            classes.setdefault(canonical, [canonical]).append(unit)
    by_unit: dict[int, _Ranges] = {}
    for members in classes.values():
        for unit in members:
            by_unit[unit] = tuple((other, other) for other in members if other != unit)
    cased = tuple(sorted(by_unit))
    others = tuple(by_unit[unit] for unit in cased)
    blocks = tuple(
        UnitSet.of(bounds for part in others[start : start + _BLOCK] for bounds in part).ranges
        for start in range(0, len(others), _BLOCK)
    )
    return _CaseTable(cased, others, blocks)
