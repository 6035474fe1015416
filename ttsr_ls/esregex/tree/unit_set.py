"""Sets of UTF-16 code units, as sorted ranges."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from msgspec import Struct

LAST_UNIT = 0xFFFF


class UnitSet(Struct, frozen=True, gc=False):
    """A set of code units. `ranges` are inclusive and sorted, and neither overlap nor touch."""

    ranges: tuple[tuple[int, int], ...]

    @staticmethod
    def of(ranges: Iterable[tuple[int, int]]) -> UnitSet:
        """Returns the union of inclusive ranges, in any order."""
        merged: list[tuple[int, int]] = []
        for low, high in sorted(ranges):
            if merged and low <= merged[-1][1] + 1:
                if high > merged[-1][1]:
                    merged[-1] = (merged[-1][0], high)
            else:
                merged.append((low, high))
        return UnitSet(tuple(merged))

    @staticmethod
    def single(unit: int) -> UnitSet:
        return UnitSet(((unit, unit),))

    @property
    def single_unit(self) -> int | None:
        """The only unit of the set; None if it has none or several."""
        if len(self.ranges) != 1:
            return None
        low, high = self.ranges[0]
        return low if low == high else None

    def __contains__(self, unit: int) -> bool:
        index = bisect_right(self.ranges, (unit, LAST_UNIT)) - 1
        return index >= 0 and unit <= self.ranges[index][1]

    def __bool__(self) -> bool:
        return bool(self.ranges)

    def __or__(self, other: UnitSet) -> UnitSet:
        return UnitSet.of((*self.ranges, *other.ranges))

    def __invert__(self) -> UnitSet:
        gaps: list[tuple[int, int]] = []
        start = 0
        for low, high in self.ranges:
            if low > start:
                gaps.append((start, low - 1))
            start = high + 1
        if start <= LAST_UNIT:
            gaps.append((start, LAST_UNIT))
        return UnitSet(tuple(gaps))

    def __and__(self, other: UnitSet) -> UnitSet:
        return ~(~self | ~other)

    def __sub__(self, other: UnitSet) -> UnitSet:
        return self & ~other

    @property
    def size(self) -> int:
        """The number of units of the set."""
        return sum(high - low + 1 for low, high in self.ranges)


def disjoint_intervals(sets: Iterable[UnitSet], boundary: int = 0) -> Iterator[tuple[int, int]]:
    """Yields the start of each interval whose units belong to the same sets, and these sets as a bit mask.

    The intervals cover all units, in order. One of them starts at `boundary`.
    """
    # The bit of a set flips at the start of each of its ranges and after the end.
    flips: dict[int, int] = {0: 0, boundary: 0}
    for index, units in enumerate(sets):
        bit = 1 << index
        for low, high in units.ranges:
            flips[low] = flips.get(low, 0) ^ bit
            flips[high + 1] = flips.get(high + 1, 0) ^ bit
    members = 0
    for start in sorted(flips):
        members ^= flips[start]
        if start <= LAST_UNIT:
            yield start, members


EVERY_UNIT = UnitSet(((0, LAST_UNIT),))
NO_UNIT = UnitSet(())
