"""Removing a redundant lookaround does not change which texts a pattern matches."""

from __future__ import annotations

import random
from itertools import product

import pytest

from ttsr_ls.esregex.analysis.effect.redundant_lookarounds import RedundancyReason, redundant_lookarounds
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.parse.parser import parse

_PARTS = [
    "a",
    "b",
    "ab",
    "a*",
    "b+",
    "[ab]*",
    "[ab]+",
    ".*",
    "a?",
    "(?:a|bb)",
    "(?:ab){2}",
    "$",
    "^",
    "\\b",
    "(?!a)",
    " *",
    ".{0,2}",
]
_LOOKS = ["(?!ab)", "(?!a)", "(?<!ba)", "(?<!a)", "(?!b|aa)", "(?!a*b)", "(?<!.b)", "(?!ba$)", "(?! b)"]
_TEXTS = ["".join(units) for length in range(6) for units in product("ab ", repeat=length)]


def without(source: str, start: int, end: int) -> str:
    return source[:start] + "(?:)" + source[end:]


def found_in(source: str) -> list[bool]:
    matcher = BacktrackMatcher(parse(source), 100_000)
    return [matcher.search(text) is not None for text in _TEXTS]


def test_removing_redundant_lookarounds_does_not_change_matches() -> None:
    numbers = random.Random(11)
    redundant = 0
    for _ in range(900):
        before = numbers.choices(_PARTS, k=numbers.randrange(3))
        after = numbers.choices(_PARTS, k=numbers.randrange(3))
        source = "".join([*before, numbers.choice(_LOOKS), *after])
        if numbers.random() < 0.3:
            source = f"(?:{source}|b ){numbers.choice(['', 'a', '+'])}"
        for lookaround in redundant_lookarounds(parse(source)):
            if lookaround.reason is RedundancyReason.GIVEN_BACK:
                continue
            redundant += 1
            span = lookaround.lookaround.span
            assert found_in(source) == found_in(without(source, span.start, span.end)), source
    assert redundant > 60


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("(?!foo)bar", RedundancyReason.NEIGHBOUR),
        ("foo(?<!bar)", RedundancyReason.NEIGHBOUR),
        ("x(?!foo)$", RedundancyReason.NEIGHBOUR),
        ("<img [^>]*(?!alt)>", RedundancyReason.REPEAT),
        ("<img [^>]*(?!alt)[^>]*>", RedundancyReason.REPEAT),
        ("import .*(?!type)", RedundancyReason.REPEAT),
        ("(?<!foo).*bar", RedundancyReason.REPEAT),
        (":\\s*(?!string)", RedundancyReason.GIVEN_BACK),
        ("(?!foo)\\w+", RedundancyReason.LATER_START),
    ],
)
def test_redundant_lookarounds_have_a_reason(source: str, reason: RedundancyReason) -> None:
    assert [lookaround.reason for lookaround in redundant_lookarounds(parse(source))] == [reason]


@pytest.mark.parametrize(
    "source",
    [
        "(?<!foo)bar",
        "foo(?!bar)",
        "\\b(?!foo)\\w+",
        "(?!foo)\\w{3}x",
        "^(?!.*foo).*bar",
        "\\w+(?!\\w)\\s",
        "((?!foo)\\w+)bar",
        "(a)(?!b)c\\1",
        "(?!)a",
        "(?!foo)(?:foo){2}",
        "(?:ab){2}(?<!ab)",
        "(?!abx)(?:ab?){9}x",
        "(?!foo$)foo$",
        "^a(?<!^a)b",
        "(?m:(?!ab$))ab$",
        "as\\s+(?!const)",
    ],
)
def test_lookarounds_with_an_effect_are_not_redundant(source: str) -> None:
    assert not list(redundant_lookarounds(parse(source)))


def test_many_lookarounds_and_alternatives_take_bounded_work() -> None:
    """The analysis gives up if the numbers of alternatives and lookarounds would multiply."""
    many = "(?:a|b)" * 60
    assert not list(redundant_lookarounds(parse(f"(?!{many}c)" * 200 + many + "d" * 50)))
    assert not list(redundant_lookarounds(parse("(?:" * 400 + "(?!ab)a" + ")*" * 400)))
