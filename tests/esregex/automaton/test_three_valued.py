"""The automaton reports as early as the definition of finality allows, for any negated lookaround."""

from random import Random

import pytest

from tests.esregex.automaton.specification import Specification, VerifiedStream
from tests.esregex.finality import three_valued
from tests.esregex.tree.negated_lookarounds import random_pattern, random_text
from ttsr_ls.esregex.automaton.union import UnionAutomaton
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.finality.constant_assertions import fold_assertions
from ttsr_ls.esregex.tree.nodes import Pattern

_CASES_OF_ONE = 250


def _least_final(pattern: Pattern, text: str) -> int | None:
    folded = fold_assertions(pattern)
    return next((end for end in range(len(text) + 1) if three_valued.is_final(folded, text[:end])), None)


@pytest.mark.parametrize("first", range(0, 2000, _CASES_OF_ONE))
def test_negated_lookarounds_are_final_where_the_definition_says(first: int) -> None:
    compared = 0
    for seed in range(first, first + _CASES_OF_ONE):
        random = Random(seed)
        pattern = random_pattern(random)
        text = random_text(random)
        stream = VerifiedStream(UnionAutomaton.build([pattern]), [Specification(pattern)])
        try:
            for unit in text:
                stream.feed(unit)
        except MatchLimitExceeded:
            continue
        compared += 1
        assert stream.reports.final.get(0) == _least_final(pattern, text), (seed, pattern.source, text)
    assert compared > _CASES_OF_ONE * 0.99
