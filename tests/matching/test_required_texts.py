"""Required texts exclude only conditions that cannot match, and nearly all of these."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.matching.required_texts import RequiredTexts

LETTERS = "abce_ ("
TEXTS = st.text(LETTERS, max_size=40)
PARTS = st.lists(st.frozensets(st.text(LETTERS, min_size=2, max_size=6), min_size=1, max_size=4), max_size=3)


def possible(required: list[list[frozenset[str]]], lower: str) -> set[int]:
    return {
        number for number, parts in enumerate(required) if all(any(text in lower for text in part) for part in parts)
    }


@given(st.lists(PARTS, max_size=8), TEXTS)
def test_candidates_have_one_required_text_of_each_part(required: list[list[frozenset[str]]], lower: str) -> None:
    texts = RequiredTexts((number, tuple(parts)) for number, parts in enumerate(required))
    assert texts.candidates(lower) == possible(required, lower)


def test_candidates_are_the_same_with_many_required_texts() -> None:
    random = Random(1)
    words = ["".join(random.choices("abcdefghijklmnopqrstuvwxyz_é.", k=random.randint(2, 8))) for _ in range(900)]
    required = [
        [frozenset(random.sample(words, random.randint(1, 3))) for _ in range(1 + number % 2)] for number in range(400)
    ]
    texts = RequiredTexts((number, tuple(parts)) for number, parts in enumerate(required))
    found = 0
    for size in (*range(60), 5000, 5000):
        lower = random.choice(" -x").join(random.choices(words, k=size))
        expected = possible(required, lower)
        assert texts.candidates(lower) == expected
        found += len(expected)
    assert found > 100


def test_required_texts_are_found_in_words_too_long_for_the_cache() -> None:
    texts = RequiredTexts((number, (frozenset({f"word{number}"}),)) for number in range(200))
    for _ in range(2):
        assert texts.candidates("x" * 500 + "word77" + "x" * 500 + " word5") == {77, 7, 5}
