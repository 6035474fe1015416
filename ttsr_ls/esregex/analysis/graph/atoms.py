"""The partition of all units into *atoms*, which the sets of a pattern never divide. Sets of units are bit masks over
atoms.

Owns the partition, and which unit represents an atom where users read it. The *kind* of an atom is what `\\b`, `^`, `$`
and lookarounds at a single unit distinguish; kind 0 is "no unit", before or after the text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from ttsr_ls.esregex.automaton.bit_sets import bit_indexes
from ttsr_ls.esregex.tree.unit_set import UnitSet, disjoint_intervals

OUTSIDE = 0
"""The kind of "no unit", before the start and after the end of the text."""

# The most readable units first. A text of letters, blanks and dots looks like the output of an agent.
_READABLE = "axe0 _-.,;:!#(){}[]<>=/\\\"'`~@$%^&*+|?AB9\n\t"


class AtomPartition:
    """The coarsest partition under which each of some sets is a union of atoms; atoms are numbered from 0.

    `kinds` has the kind of each atom, `kind_masks` the atoms of each kind.
    """

    __slots__ = ("_atom_at", "_masks", "_readable", "_starts", "count", "kind_count", "kind_masks", "kinds")

    def __init__(self, sets: Iterable[UnitSet], deciding_sets: Iterable[UnitSet]) -> None:
        distinct_deciding = dict.fromkeys(deciding_sets)
        distinct = list(dict.fromkeys([*distinct_deciding, *sets]))
        members = self._divide(distinct)
        self.count = len(members)
        masks = [0] * len(distinct)
        for atom, bits in enumerate(members):
            bit = 1 << atom
            for index in bit_indexes(bits):
                masks[index] |= bit
        self._masks = dict(zip(distinct, masks, strict=True))
        deciding = (1 << len(distinct_deciding)) - 1
        numbers: dict[int, int] = {}
        self.kinds = tuple([numbers.setdefault(bits & deciding, len(numbers) + 1) for bits in members])
        self.kind_count = len(numbers) + 1
        kind_masks = [0] * self.kind_count
        for atom, kind in enumerate(self.kinds):
            kind_masks[kind] |= 1 << atom
        self.kind_masks = tuple(kind_masks)
        self._readable: dict[int, str] = {}

    def _divide(self, sets: list[UnitSet]) -> list[int]:
        """Returns for each atom the sets that contain it, as a bit mask."""
        numbers: dict[int, int] = {}
        self._starts: list[int] = []
        self._atom_at: list[int] = []
        for start, members in disjoint_intervals(sets):
            self._starts.append(start)
            self._atom_at.append(numbers.setdefault(members, len(numbers)))
        return list(numbers)

    def atom_of(self, unit: int) -> int:
        return self._atom_at[bisect_right(self._starts, unit) - 1]

    def atoms_in_mask(self, units: UnitSet) -> int:
        """Returns the atoms, as a bit mask, of one of the sets."""
        return self._masks[units]

    def kinds_in(self, units: UnitSet) -> int:
        """Returns the kinds, as a bit mask, of the atoms of one of the sets."""
        mask = self._masks[units]
        return sum([1 << kind for kind, of_kind in enumerate(self.kind_masks) if of_kind & mask])

    def example_unit(self, mask: int) -> str:
        """Returns the most readable unit of the atoms in `mask`, which must not be empty."""
        if not self._readable:
            for char in reversed(_READABLE):
                self._readable[self.atom_of(ord(char))] = char
        best = [char for atom, char in self._readable.items() if mask >> atom & 1]
        if best:
            return min(best, key=_READABLE.index)
        return chr(self._starts[self._atom_at.index((mask & -mask).bit_length() - 1)])
