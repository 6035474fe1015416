"""Equivalence classes of units: the units that no set of an automaton distinguishes form one class.

Owns the partition, and the codes by which the units of a text are looked up in tables.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from ttsr_ls.esregex.tree.unit_set import UnitSet, disjoint_intervals

_FIRST_BEYOND_ASCII = 0x80
_BEYOND_ASCII = re.compile("[^\x00-\x7f]+")
_LONG = 256
"""From how many units on a text is searched for those beyond ASCII. Translating every unit takes longer then, unless
most are beyond ASCII."""

Codes = bytes | list[int]
"""A text by the codes of its units: bytes, unless some code is larger."""


class Alphabet:
    """The coarsest partition of all units under which each of `sets` is a union of classes.

    Classes are numbered from 0. `members[c]` has bit `s` set when the units of class `c` belong to `sets[s]`.
    The code of an ASCII unit is the unit. Other units of one class have the same code.
    """

    __slots__ = (
        "_class_of_interval",
        "_code_of_class",
        "_codes",
        "_codes_of_set",
        "_sets",
        "_starts",
        "class_of_code",
        "members",
        "units",
    )

    def __init__(self, sets: Sequence[UnitSet]) -> None:
        self._sets = frozenset(sets)
        numbers: dict[int, int] = {}
        self._starts: list[int] = []
        self._class_of_interval: list[int] = []
        beyond: dict[int, str] = {}
        for start, members in disjoint_intervals(sets, _FIRST_BEYOND_ASCII):
            self._starts.append(start)
            number = numbers.setdefault(members, len(numbers))
            self._class_of_interval.append(number)
            if start >= _FIRST_BEYOND_ASCII and number not in beyond:
                beyond[number] = chr(start)
        self.members: tuple[int, ...] = tuple(numbers)
        ascii_units = [chr(unit) for unit in range(_FIRST_BEYOND_ASCII)]
        self.units: tuple[str, ...] = (*ascii_units, *beyond.values())
        """A unit of each code, indexed by code."""
        self.class_of_code: tuple[int, ...] = tuple([self.class_of(ord(unit)) for unit in self.units])
        self._code_of_class = {number: _FIRST_BEYOND_ASCII + position for position, number in enumerate(beyond)}
        self._codes = _CodeTable(self)
        self._codes_of_set: dict[UnitSet, frozenset[int]] = {}

    def __len__(self) -> int:
        return len(self.members)

    def class_of(self, unit: int) -> int:
        return self._class_of_interval[bisect_right(self._starts, unit) - 1]

    def code_of(self, unit: int) -> int:
        return unit if unit < _FIRST_BEYOND_ASCII else self._code_of_class[self.class_of(unit)]

    def codes_of(self, units: UnitSet) -> frozenset[int]:
        """Returns the codes of all units of a set. For units beyond ASCII it may contain other codes too, unless the
        set or its complement is in `sets`.
        """
        codes = self._codes_of_set.get(units)
        if codes is None:
            if units in self._sets or ~units in self._sets:
                codes = frozenset([code for code, unit in enumerate(self.units) if ord(unit) in units])
            else:
                codes = frozenset([code for code in range(_FIRST_BEYOND_ASCII) if code in units])
                if units.ranges and units.ranges[-1][1] >= _FIRST_BEYOND_ASCII:
                    codes |= frozenset(range(_FIRST_BEYOND_ASCII, len(self.units)))
            self._codes_of_set[units] = codes
        return codes

    def encode(self, text: str) -> Codes:
        if text.isascii():
            return text.encode()
        if len(text) < _LONG:
            translated = text.translate(self._codes)
        else:
            translated = _BEYOND_ASCII.sub(lambda run: run[0].translate(self._codes), text)
        try:
            return translated.encode("latin-1")
        except UnicodeEncodeError:
            return [ord(unit) for unit in translated]


class _CodeTable(dict[int, str]):
    """The table for `str.translate`: maps each unit to the character with its code."""

    __slots__ = ("_alphabet",)

    def __init__(self, alphabet: Alphabet) -> None:
        super().__init__()
        self._alphabet = alphabet

    def __missing__(self, unit: int) -> str:
        # At most 65,536 entries, and only for units that occur in streams.
        code = self[unit] = chr(self._alphabet.code_of(unit))
        return code


class SymbolTranslation:
    """Maps the codes of an alphabet to the symbols of a coarser one."""

    __slots__ = ("symbols", "table")

    def __init__(self, symbols: Sequence[int]) -> None:
        """`symbols` has the symbol of each code, in order."""
        self.symbols = tuple(symbols)
        padded = [*symbols[:256], *[0] * (256 - len(symbols))]
        self.table = bytes(padded) if max(symbols) < 256 else None
        """For `bytes.translate`; None if some symbol is larger than a byte."""

    def __call__(self, codes: Codes) -> Codes:
        """The symbols of some codes."""
        if self.table is not None and isinstance(codes, bytes):
            return codes.translate(self.table)
        symbols = self.symbols
        return [symbols[code] for code in codes]

    def of(self, code: int) -> int:
        """The symbol of a code."""
        return self.symbols[code]
