"""Every text that a pattern matches contains its required texts."""

from collections.abc import Collection, Iterable
from itertools import islice

import pytest
from hypothesis import given

from tests.esregex.pattern_strategies import patterns, unit_texts
from tests.esregex.regex_vectors import FILES, recorded_patterns
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.compile import compile_pattern
from ttsr_ls.esregex.parse.flags import NO_FLAGS, Flags
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import Pattern
from ttsr_ls.esregex.tree.required_text import required_text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"\bfoo\b", [{"foo"}]),
        (r"foo|bar", [{"foo", "bar"}]),
        (r"import\s+[^;]*from 'lodash", [{"from 'lodash"}, {"import"}]),
        (r"(?=[\s\S]*AAAA)(?=[\s\S]*BBB)", [{"aaaa"}, {"bbb"}]),
        (r"(?!never)foo(?<!never)", [{"foo"}]),
        (r"a{3}bc", [{"bc"}]),
        (r"(?:foo)?bar+", [{"ba", "fooba"}]),
        (r"[ab]c", [{"ac", "bc"}]),
        (r"(foo)\1", [{"foo"}]),
        (r"(?:x|)yes", [{"xyes", "yes"}]),
        (r"(?:foo|b.)bar", [{"bar"}]),
        (r"(?:foo.|bar.)*", []),
        (r"x*", []),
        (r"a", []),
        (r"é\w", []),
        (r"[^a]b", []),
        (r"", []),
        (r"[]", []),
        (r"ab[]|cd", [{"cd"}]),
        (r"one.two.three.four", [{"three"}, {"four"}, {"two"}]),
    ],
)
def test_required_texts(source: str, expected: list[set[str]]) -> None:
    assert [set(part) for part in required_text(parse(source))] == expected


def test_required_texts_are_lower_case() -> None:
    assert required_text(parse("FOO", Flags(ignore_case=True))) == ({"foo"},)
    assert required_text(parse("FoO", NO_FLAGS)) == ({"foo"},)


def has_all(required: Iterable[Collection[str]], subject: str) -> bool:
    lower = subject.lower()
    return all(any(text in lower for text in part) for part in required)


@pytest.mark.parametrize("file", FILES)
def test_every_recorded_match_contains_the_required_texts(file: str) -> None:
    matches = restricted = 0
    for recorded in islice(recorded_patterns(file), 6000):
        if not recorded.is_valid:
            continue
        required = required_text(parse(recorded.source, recorded.flags))
        if not required:
            continue
        restricted += 1
        for match in recorded.matches or ():
            if match.match is not None:
                matches += 1
                assert has_all(required, match.subject), (recorded.source, match.subject)
    assert restricted > 150
    assert matches > 400


@given(patterns(), unit_texts())
def test_every_matching_text_contains_the_required_texts(pattern: Pattern, text: str) -> None:
    try:
        found = compile_pattern(pattern).test(text)
    except MatchLimitExceeded:
        return
    assert not found or has_all(required_text(pattern), text)


def test_required_texts_of_a_deeply_nested_pattern() -> None:
    source = "(?:" * 20_000 + "foo" + ")" * 20_000
    assert required_text(parse(source)) == ({"foo"},)
