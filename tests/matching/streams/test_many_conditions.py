"""Hundreds of conditions match as if each was evaluated at every unit, with and without prefilters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from random import Random

import pytest

from benchmarks.conditions import conditions
from benchmarks.real_conditions import real_conditions
from benchmarks.real_texts import KINDS, real_text
from benchmarks.texts import code
from benchmarks.vocabulary import TELLTALES
from ttsr_ls.esregex.automaton.nfa.limits import Limits
from ttsr_ls.esregex.automaton.union import UnionAutomaton
from ttsr_ls.esregex.automaton.union_cursor import CandidateMatch, FinalMatch
from ttsr_ls.esregex.tree.units import to_units
from ttsr_ls.lint.regex.samples import sample_texts
from ttsr_ls.rules.condition import compile_condition

CONDITIONS = 400
TEXTS = 6
LENGTH = 3_000


def with_matches(text: str, matching: list[str], random: Random) -> str:
    """The text with matches, and with words that some conditions end with, put in between."""
    parts = []
    position = 0
    while position < len(text):
        length = random.randint(20, 300)
        parts += [text[position : position + length], random.choice(matching if random.random() < 0.6 else TELLTALES)]
        position += length
    return "".join(parts)


def deltas(text: str, random: Random) -> Iterator[str]:
    position = 0
    while position < len(text):
        length = random.choice((1, 4, 16, 16, 64, 300))
        yield text[position : position + length]
        position += length


@pytest.mark.parametrize("is_real", [False, True])
def test_many_conditions_match_as_without_prefilters(is_real: bool) -> None:
    random = Random(1)
    sources = real_conditions(CONDITIONS, seed=5) if is_real else conditions(CONDITIONS, seed=5)
    patterns = [compile_condition(source).pattern for source in sources]
    matching = [text for pattern in patterns for text in list(sample_texts(pattern.root))[:2] if text.isascii()]
    prefiltered = UnionAutomaton.build(patterns)
    whole = UnionAutomaton.build(patterns, Limits(factor_bits=inf))
    reported = 0
    for number in range(TEXTS):
        text = with_matches(
            to_units(real_text(KINDS[number])[:LENGTH]) if is_real else code(LENGTH, number), matching, random
        )
        cursor, expected_cursor = prefiltered.open(), whole.open()
        for delta in deltas(text, random):
            found, expected = prefiltered.feed(cursor, delta), whole.feed(expected_cursor, delta)
            # The caller verifies candidates.
            possible = {FinalMatch(match.pattern, match.offset) for match in found if isinstance(match, CandidateMatch)}
            assert final_of(expected) - final_of(found) <= possible
            assert final_of(found) <= final_of(expected)
            for match in final_of(expected) - final_of(found):
                cursor.mark_final(match.pattern)
            reported += len(found)
            if random.random() < 0.1:
                ended, expected_ended = prefiltered.matches_if_ended(cursor), whole.matches_if_ended(expected_cursor)
                assert ended.matching <= expected_ended.matching <= ended.matching | ended.candidates
        assert cursor.final == expected_cursor.final
    assert reported > 50


def final_of(events: Iterable[FinalMatch | CandidateMatch]) -> set[FinalMatch | CandidateMatch]:
    return {event for event in events if isinstance(event, FinalMatch)}
