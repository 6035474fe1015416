"""Hundreds of conditions, which are watched by two automata, are answered as one automaton alone answers them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from benchmarks.conditions import conditions
from benchmarks.texts import code, prose
from benchmarks.vocabulary import TELLTALES
from ttsr_ls.engine.condition import compile_condition
from ttsr_ls.esregex.automaton.filtered import FilteredAutomaton
from ttsr_ls.esregex.automaton.union import UnionAutomaton
from ttsr_ls.esregex.nodes import Pattern
from ttsr_ls.lint.samples import samples

CONDITIONS = 400
TEXTS = 6
LENGTH = 3_000


@pytest.fixture(scope="module")
def patterns() -> list[Pattern]:
    return [compile_condition(source).pattern for source in conditions(CONDITIONS, seed=5)]


def with_matches(text: str, matching: list[str], random: Random) -> str:
    """The text with matches, and with words that some conditions end with, put in between."""
    parts = []
    at = 0
    while at < len(text):
        length = random.randint(20, 300)
        parts += [text[at : at + length], random.choice(matching if random.random() < 0.6 else TELLTALES)]
        at += length
    return "".join(parts)


def deltas(text: str, random: Random) -> Iterator[str]:
    at = 0
    while at < len(text):
        length = random.choice((1, 4, 16, 16, 64, 300))
        yield text[at : at + length]
        at += length


def test_they_are_answered_as_by_one_automaton(patterns: list[Pattern]) -> None:
    random = Random(1)
    matching = [text for pattern in patterns for text in list(samples(pattern.root))[:2] if text.isascii()]
    two, one = FilteredAutomaton.build(patterns), UnionAutomaton.build(patterns)
    assert isinstance(two, FilteredAutomaton)
    told = 0
    for number in range(TEXTS):
        text = with_matches((code if number % 2 else prose)(LENGTH, number), matching, random)
        of_two, of_one = two.open(), one.open()
        for delta in deltas(text, random):
            found, expected = two.feed(of_two, delta), one.feed(of_one, delta)
            assert set(found) == set(expected)
            assert of_two.final == of_one.final
            told += len(found)
            if random.random() < 0.1:
                assert two.if_ended(of_two) == one.if_ended(of_one)
        assert two.if_ended(of_two) == one.if_ended(of_one)
    assert told > 50
