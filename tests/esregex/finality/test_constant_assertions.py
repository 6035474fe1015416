"""Folding assertions changes no match, and delays no final match."""

from random import Random

import pytest
from hypothesis import assume, given

from tests.esregex.finality import three_valued
from tests.esregex.pattern_strategies import patterns, unit_texts
from tests.esregex.tree.negated_lookarounds import random_pattern, random_text
from tests.esregex.tree_text import tree_text
from tests.processor_time import processor_time_below
from tests.property_examples import examples
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.finality.constant_assertions import fold_assertions
from ttsr_ls.esregex.finality.finality import final_form
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.parse.flags import Flags
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import Backreference, Pattern, walk

NEVER = "a NOT_AHEAD(class[])"
ALWAYS = "a empty"


def folded(source: str, *, multiline: bool = False) -> str:
    return tree_text(fold_assertions(parse(source, Flags(multiline=multiline))).root)


@pytest.mark.parametrize(
    ("body", "multiline"),
    [
        ("(?!)", False),
        ("b(?!)", False),
        ("b(?!c*)", False),
        ("(?!(?!(?!)))", False),
        ("b^", False),
        ("b^", True),
        (r"[b\r]^", False),
        ("$b", False),
        ("$b", True),
        (r"b\bc", False),
        (r"b\B-", False),
        (r"\s\b\s", False),
        ("b+^c", True),
        ("(?:b|c)(?:^|$[d])e", False),
        ("b(?<=a)", False),
        ("b(?=c)d", False),
        ("b(?!c)c", False),
        ("b(?<!b)", False),
        ("b(?=c^)", False),
        ("b(?<=a^)", False),
        ("b*(?<=c)d[]", False),
        ("(?:b^)+", True),
        ("(b(?!))", False),
        (r"\1(?!)", False),  # \1 is an octal escape here
    ],
)
def test_a_negated_lookaround_whose_body_never_matches_is_removed(body: str, multiline: bool) -> None:
    assert folded(f"a(?!{body})", multiline=multiline) == ALWAYS


@pytest.mark.parametrize(
    ("body", "multiline"),
    [
        ("(?=)", False),
        ("(?!(?!b*))", False),
        ("(?<=a)", False),
        (r"(?!b(?!))", False),
        (r"(?:b(?!)){0,3}", False),
    ],
)
def test_a_negated_lookaround_whose_body_always_matches_becomes_an_empty_class(body: str, multiline: bool) -> None:
    assert folded(f"a(?!{body})", multiline=multiline) == "class[]"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"a(?!b\b-)", "a NOT_AHEAD(b empty [-])"),
        (r"a(?!\n^c)", "a NOT_AHEAD(escape[<A>] empty c)"),
        ("a(?!b|c^)", "a NOT_AHEAD(b)"),
        ("a(?!b(?:c^)*d)", "a NOT_AHEAD(b empty d)"),
    ],
)
def test_constant_parts_of_a_body_are_removed(source: str, expected: str) -> None:
    assert folded(source, multiline=True) == expected


@pytest.mark.parametrize(
    "source",
    [r"a(?!\b)", r"a(?![b\n]?^)", "a(?!$)", r"a(?!\wb\b)", "a(?!.(?<=b))", r"(?!\n*^)", "(?!^b)[bc]", "ab^", "a(?!b*)"],
)
def test_assertions_that_depend_on_the_text_are_kept(source: str) -> None:
    pattern = parse(source, Flags(multiline=True))
    assert fold_assertions(pattern) is pattern


def test_patterns_with_backreferences_are_not_folded() -> None:
    pattern = parse(r"(?:(a)(?!)|b)\1(?!c)")
    assert fold_assertions(pattern) is pattern


@pytest.mark.parametrize(
    "source",
    [
        "(?!" + "a?" * 9_000 + "^)",
        "(?!" + "".join(f"[{chr(0x4E00 + 2 * number)}]?" for number in range(4_000)) + r"\b)",
        "(?!" * 4_000 + "^" + ")" * 4_000,
        "(?!(?:b^)*" * 1_500 + ")" * 1_500,
        "(?!" + "|".join(chr(0x4E00 + 2 * number) for number in range(9_000)) + "^)",
    ],
)
def test_hostile_patterns_are_folded_in_bounded_time(source: str) -> None:
    pattern = parse(source)
    with processor_time_below(1):
        fold_assertions(pattern)


def test_a_folded_pattern_has_the_same_matches() -> None:
    compared = 0
    for seed in range(6_000):
        random = Random(seed)
        pattern, text = random_pattern(random), random_text(random)
        folded_pattern = fold_assertions(pattern)
        if folded_pattern is pattern:
            continue
        try:
            expected = BacktrackMatcher(pattern, 100_000).search(text)
            span = BacktrackMatcher(folded_pattern, 100_000).search(text)
        except MatchLimitExceeded:
            continue
        compared += 1
        assert span == expected, (pattern.source, text)
    assert compared > 2_000


@examples(200)
@given(patterns(), unit_texts(5))
def test_folding_delays_no_final_match(pattern: Pattern, text: str) -> None:
    assume(not any(isinstance(node, Backreference) for node in walk(pattern.root)))
    final = final_form(pattern)
    for end in range(len(text) + 1):
        if three_valued.is_final(pattern, text[:end]):
            assert BacktrackMatcher(final).test(text[:end]), (pattern.source, text[:end])
