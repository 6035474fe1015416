"""Classes of units: units that no set of an automaton tells apart behave alike, so only classes are computed with.

Owns the partition and the table that maps a text beyond ASCII to representatives, which keeps state tables small.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ttsr_ls.esregex.unit_set import LAST_UNIT, UnitSet

_FIRST_BEYOND_ASCII = 0x80


class Alphabet:
    """The coarsest partition of all units under which each of `sets` is a union of classes.

    Classes are numbered from 0. `members[c]` has bit `s` set when the units of class `c` belong to `sets[s]`.
    """

    __slots__ = ("_class_of_interval", "_starts", "members", "numbers", "representatives")

    def __init__(self, sets: Sequence[UnitSet]) -> None:
        # A set's bit flips at the start of each of its ranges and after its end; in between all units are alike.
        flips: dict[int, int] = {0: 0, _FIRST_BEYOND_ASCII: 0}
        for index, units in enumerate(sets):
            bit = 1 << index
            for low, high in units.ranges:
                flips[low] = flips.get(low, 0) ^ bit
                flips[high + 1] = flips.get(high + 1, 0) ^ bit
        numbers: dict[int, int] = {}
        self._starts = sorted(start for start in flips if start <= LAST_UNIT)
        self._class_of_interval: list[int] = []
        representatives: list[str] = []
        members = 0
        for start in self._starts:
            members ^= flips[start]
            number = numbers.setdefault(members, len(numbers))
            self._class_of_interval.append(number)
            if number == len(representatives):
                representatives.append(chr(start))
        self.members: tuple[int, ...] = tuple(numbers)
        self.representatives = Representatives(self, tuple(representatives))
        self.numbers = {
            unit: self.class_of(ord(unit)) for unit in [*map(chr, range(_FIRST_BEYOND_ASCII)), *representatives]
        }
        """The classes of all units that a text has once it is translated by `representatives`."""

    def __len__(self) -> int:
        return len(self.members)

    def class_of(self, unit: int) -> int:
        """The class of a unit."""
        return self._class_of_interval[bisect_right(self._starts, unit) - 1]


class Representatives(dict[int, str]):
    """For `str.translate`: each unit beyond ASCII as the least unit of its class, which is in ASCII where it can be."""

    __slots__ = ("_alphabet", "_of_class")

    def __init__(self, alphabet: Alphabet, of_class: tuple[str, ...]) -> None:
        super().__init__()
        self._alphabet = alphabet
        self._of_class = of_class

    def __missing__(self, unit: int) -> str:
        representative = chr(unit)
        if unit >= _FIRST_BEYOND_ASCII:
            representative = self._of_class[self._alphabet.class_of(unit)]
        # At most 65,536 entries, and only for what streams really hold.
        self[unit] = representative
        return representative
