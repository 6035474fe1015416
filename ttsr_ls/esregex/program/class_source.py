"""Renders unit sets as source for Python's `re` and the `regex` package, in a form that means the same in both.

Every unit is written as `\\uXXXX`: no set operations, POSIX names, properties or case folding can occur, and lone
surrogates are like any other unit.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT, UnitSet

if TYPE_CHECKING:
    import regex

NEVER = "(?!)"
_MANY_UNITS, _MANY_RANGES, _UNITS = 1_024, 64, 0x10000
_LAST_OF_BYTE = 0xFF
_STEPS_OF_BYTES, _STEPS_OF_OTHERS = 100, 160


def steps_to_compile(units: UnitSet) -> int:
    """Returns about how many steps it takes to compile a class: 20 to 50 µs, or 100 to 230 µs if it distinguishes units
    beyond Latin-1, as `\\s` does.
    """
    for ranges in (units.ranges, (~units).ranges):
        if not ranges or ranges[-1][1] <= _LAST_OF_BYTE or (len(ranges) == 1 and ranges[0][0] == ranges[0][1]):
            return _STEPS_OF_BYTES
    return _STEPS_OF_OTHERS


def may_be_compiled_by_regex(source: str) -> bool:
    """Returns whether a pattern with this source may have a class that `compile_around` compiles with `regex`."""
    return not source.isascii() or "\\u" in source


def compile_around(units: UnitSet, before: str, after: str) -> re.Pattern[str] | regex.Pattern[str]:
    """Compiles the source of a class between other source.

    `re` compiles a class in time linear in its units, up to 3 ms. `regex` does not, but searches in time linear in the
    ranges.
    """
    source = f"{before}{class_source(units)}{after}"
    if len(units.ranges) > _MANY_RANGES or not _MANY_UNITS < units.size < _UNITS - _MANY_UNITS:
        return re.compile(source, re.DOTALL)
    import regex  # Importing it takes 20 ms, and few patterns have such a class.

    return regex.compile(source, regex.V1 | regex.DOTALL, cache_pattern=False)


def import_regex() -> None:
    """Imports `regex`, and compiles a pattern: the first one takes longer than later ones."""
    import regex

    regex.compile("a", cache_pattern=False)


def class_source(units: UnitSet) -> str:
    """Returns source that matches one unit of `units`. The source of the set of all units needs a dot-all flag."""
    if not units:
        return NEVER
    if units == EVERY_UNIT:
        return "."
    if (single_unit := units.single_unit) is not None:
        return unit_source(single_unit)
    complement = ~units
    if complement.size < units.size:
        return f"[^{_ranges(complement)}]"
    return f"[{_ranges(units)}]"


def unit_source(unit: int) -> str:
    """Returns source that matches exactly `unit`."""
    return f"\\u{unit:04X}"


def _ranges(units: UnitSet) -> str:
    return "".join(
        unit_source(low) if low == high else f"{unit_source(low)}-{unit_source(high)}" for low, high in units.ranges
    )
