"""The automaton answers as early as the definition of finality allows, whatever stands in a negated look."""

from random import Random

import pytest
import three_valued
from obvious import Specification, Watched

from ttsr_ls.engine.condition import compile_condition
from ttsr_ls.esregex.automaton.union import UnionAutomaton
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.nodes import Pattern

_ATOMS = (
    "a",
    "b",
    "c",
    "ab",
    "[ab]",
    ".",
    r"\w",
    r"\W",
    r"\n",
    "^",
    "^",
    "$",
    r"\b",
    r"\B",
    "(?=)",
    "(?!)",
    "[]",
    "[^]",
)
_QUANTIFIERS = ("*", "+", "?", "{2}", "{1,2}", "{2,}", "{0}", "*?")
_LOOKS = ("(?=", "(?!", "(?!", "(?<=", "(?<!")
_CASES_OF_ONE = 250


def _part(random: Random, leaves: int) -> str:
    if leaves <= 1:
        return random.choice(_ATOMS)
    shape = random.random()
    if shape < 0.6:
        left = random.randint(1, leaves - 1)
        one, other = _part(random, left), _part(random, leaves - left)
        return one + other if shape < 0.5 else f"(?:{one}|{other})"
    inner = _part(random, leaves - 1)
    return f"{random.choice(_LOOKS)}{inner})" if shape < 0.85 else f"(?:{inner}){random.choice(_QUANTIFIERS)}"


def _pattern(random: Random) -> Pattern:
    flags, before = random.choice(("", "(?m)")), random.choice(("a", "b", "", ".", r"\b"))
    look, after = random.choice(("(?!", "(?!", "(?<!")), random.choice(("", "", "b", ".", r"\b"))
    return compile_condition(f"{flags}{before}{look}{_part(random, random.randint(2, 6))}){after}").pattern


def _least_final(pattern: Pattern, text: str) -> int | None:
    return next((end for end in range(len(text) + 1) if three_valued.is_final(pattern, text[:end])), None)


@pytest.mark.parametrize("first", range(0, 2000, _CASES_OF_ONE))
def test_a_negated_look_is_decided_where_the_definition_decides_it(first: int) -> None:
    compared = 0
    for seed in range(first, first + _CASES_OF_ONE):
        random = Random(seed)
        pattern = _pattern(random)
        text = "".join(random.choice("aabbc\n ") for _ in range(random.randint(1, 6)))
        watched = Watched(UnionAutomaton.build([pattern]), [Specification(pattern)])
        try:
            for unit in text:
                watched.feed(unit)
        except MatchLimitExceeded:
            continue
        compared += 1
        assert watched.told.final.get(0) == _least_final(pattern, text), (seed, pattern.source, text)
    assert compared > _CASES_OF_ONE * 0.99
