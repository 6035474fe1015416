"""Sets as bits of integers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.esregex.automaton.bit_sets import bit_indexes


@given(st.sets(st.integers(0, 20_000)) | st.sets(st.integers(0, 12)))
def test_indexes_are_those_of_the_bits(numbers: set[int]) -> None:
    assert list(bit_indexes(sum(1 << number for number in numbers))) == sorted(numbers)
