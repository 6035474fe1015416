"""The engine answers what its specification answers, on random rule sets, texts and cuts (see `comparison`)."""

import pytest
from comparison import difference

CASES_OF_ONE = 50


@pytest.mark.parametrize("first", range(0, 400, CASES_OF_ONE))
def test_a_random_case_is_answered_as_the_specification_says(first: int) -> None:
    found = [difference(seed) for seed in range(first, first + CASES_OF_ONE)]
    assert found == [None] * CASES_OF_ONE
