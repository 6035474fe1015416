"""Unit sets as source for Python's `re` and the `regex` package, in a form that means the same to both.

Every unit is written as `\\uXXXX`: no set operations, POSIX names, properties or case folding can arise, and lone
surrogates are as good as any other unit.
"""

from __future__ import annotations

from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT, UnitSet

NEVER = "(?!)"


def class_source(units: UnitSet) -> str:
    """Source that matches one unit out of `units`; under a dot-all flag for the set of every unit."""
    if not units:
        return NEVER
    if units == EVERY_UNIT:
        return "."
    if (only := units.only) is not None:
        return unit_source(only)
    outside = ~units
    if len(outside.ranges) < len(units.ranges):
        return f"[^{_ranges(outside)}]"
    return f"[{_ranges(units)}]"


def unit_source(unit: int) -> str:
    """Source that matches exactly `unit`."""
    return f"\\u{unit:04X}"


def _ranges(units: UnitSet) -> str:
    return "".join(
        unit_source(low) if low == high else f"{unit_source(low)}-{unit_source(high)}" for low, high in units.ranges
    )
