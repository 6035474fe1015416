"""Patterns with many counted repeats: their threads move together, and threads whose counters expire end together."""

import random

import pytest

from tests.esregex.automaton.specification import check
from ttsr_ls.esregex.automaton.union import UnionAutomaton
from ttsr_ls.esregex.parse.parser import parse


@pytest.mark.parametrize("repeated", [".{0,20}a", "a.{2,17}b", "a[^b]{0,9}b?", "(?:ab.{0,9}){1,2}c?", "(?:a|bcd|cda)?"])
def test_many_repeats_agree_with_the_specification(repeated: str) -> None:
    chance = random.Random(repeated)
    pattern = parse(repeated * 10 + "c")
    for _ in range(6):
        text = "".join(chance.choices("aaab\nc", k=40))
        deltas = [text[start : start + 5] for start in range(0, len(text), 5)]
        check(UnionAutomaton.build([pattern]), [pattern], deltas)


def test_counters_that_expire_together_build_one_state() -> None:
    automaton = UnionAutomaton.build([parse(".{0,99}a" * 20 + ".{0,99}z")])
    cursor = automaton.open()
    automaton.feed(cursor, "a" * 20)
    automaton.feed(cursor, "b" * 98)
    made = automaton._assembly.evictor.made
    automaton.feed(cursor, "b" * 8)
    # A state before the unit and one after it, but not one for each counter.
    assert automaton._assembly.evictor.made - made <= 16
