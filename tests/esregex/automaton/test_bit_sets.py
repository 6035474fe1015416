"""Sets as bits of integers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.esregex.automaton.bit_sets import bit_indexes


@given(st.sets(st.integers(0, 20_000)) | st.sets(st.integers(0, 12)))
def test_bit_indexes_returns_the_set_bits_in_order(numbers: set[int]) -> None:
    assert list(bit_indexes(sum(1 << number for number in numbers))) == sorted(numbers)
