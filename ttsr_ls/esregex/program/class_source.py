"""Renders unit sets as source for Python's `re` and the `regex` package, in a form that means the same in both.

Every unit is written as `\\uXXXX`: no set operations, POSIX names, properties or case folding can occur, and lone
surrogates are like any other unit.
"""

from __future__ import annotations

from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT, UnitSet

NEVER = "(?!)"


def class_source(units: UnitSet) -> str:
    """Returns source that matches one unit of `units`. The source of the set of all units needs a dot-all flag."""
    if not units:
        return NEVER
    if units == EVERY_UNIT:
        return "."
    if (single_unit := units.single_unit) is not None:
        return unit_source(single_unit)
    unit_set = ~units
    if len(unit_set.ranges) < len(units.ranges):
        return f"[^{_ranges(unit_set)}]"
    return f"[{_ranges(units)}]"


def unit_source(unit: int) -> str:
    """Returns source that matches exactly `unit`."""
    return f"\\u{unit:04X}"


def _ranges(units: UnitSet) -> str:
    return "".join(
        unit_source(low) if low == high else f"{unit_source(low)}-{unit_source(high)}" for low, high in units.ranges
    )
