"""Iteration over sets of small integers that are the bits of one integer."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress, count

_FEW = 8
_ZERO_IS_FALSE = bytes(digit == ord("1") for digit in range(256))


def bit_indexes(bits: int) -> Iterable[int]:
    """Returns the indexes of the bits that are set in `bits`, in ascending order, in time linear in its size."""
    if bits.bit_count() > _FEW:
        return compress(count(), reversed(f"{bits:b}".encode().translate(_ZERO_IS_FALSE)))
    # Each step copies the integer, which is fast only for few bits.
    indexes = []
    while bits:
        lowest = bits & -bits
        indexes.append(lowest.bit_length() - 1)
        bits ^= lowest
    return indexes
