from concurrent.futures import ThreadPoolExecutor

import pytest
import regex
from hypothesis import assume, given, reject

from tests.esregex.pattern_strategies import patterns, unit_texts
from tests.property_examples import examples
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.match.regex_matcher import RegexMatcher
from ttsr_ls.esregex.match.translate import InexactPattern, RegexTranslation, translate_simple
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.program.class_source import class_source
from ttsr_ls.esregex.tree.nodes import Pattern
from ttsr_ls.esregex.tree.simplify import simplify
from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT, NO_UNIT, UnitSet
from ttsr_ls.text import Span


def source_of(pattern: str) -> str:
    translation = translate_simple(simplify(parse(pattern)))
    assert isinstance(translation, RegexTranslation)
    return translation.source


@pytest.mark.parametrize(
    ("pattern", "source"),
    [
        ("a", r"\u0061"),
        ("(?:(a))", r"\u0061"),
        (".", r"[^\u000A\u000D\u2028-\u2029]"),
        ("[^]{2,}?", ".{2,}?"),
        ("[]", "(?!)"),
        ("(?:a|b)+", r"(?:\u0061|\u0062)+"),
        ("^a$", r"\A\u0061\Z"),
        (r"(a|b)\1", r"(?P<g1>\u0061|\u0062)(?(g1)(?P=g1)|)"),
        (r"\1(a)", r"(?P<g1>\u0061)"),
        ("(?:a*)*", r"(?:\u0061+)*"),
        ("(?:)*a", r"\u0061"),
    ],
)
def test_translations_use_unambiguous_source(pattern: str, source: str) -> None:
    assert source_of(pattern) == source


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        (r"(?:(a)|b)*\1", "its group is in a loop, and not every round sets it"),
        (r"(?:([ab]+))*\1", "a loop is between it and its group, whose texts differ in length"),
        (r"(b?)(?:\1a|b){0,2}b", "a loop is between it and its group, whose texts differ in length"),
        (r"a*([ab])(?:(?!\1)[ab]+)*?\1", "a nested loop is between it and its group"),
        (r"(?:(?:(a)|b)\1)*", "it is in a loop with its group, which not every round sets"),
        (r"(?<=\1(a))b", "it is read or set in a lookbehind"),
        (r"(?<=(a))b\1", "it is read or set in a lookbehind"),
        (r"(?i:(\w)\1)", None),
        (r"(?i:(\w|é)\1)", "it compares letters beyond ASCII without case"),
        (r"(?:a{9999}){9999}", "its matches are too long"),
        ("(?:a{0,99999}){0,99999}", "it counts too far"),
        ("(?:a" * 100 + ")*" * 100, "it is nested too deep"),
        ("[ab]|" * 20_000, "it is too large"),
        ("(?:a?b?)*", "a loop with empty rounds cannot be rewritten"),
    ],
)
def test_patterns_without_an_exact_translation_have_a_reason(pattern: str, reason: str | None) -> None:
    translation = translate_simple(simplify(parse(pattern)))
    if reason is None:
        assert isinstance(translation, RegexTranslation)
    else:
        assert isinstance(translation, InexactPattern)
        assert translation.reason.endswith(reason)


@examples(300)
@given(patterns(), unit_texts(), unit_texts())
def test_translations_match_what_the_backtracking_matcher_matches(pattern: Pattern, text: str, other: str) -> None:
    translation = translate_simple(simplify(pattern))
    assume(isinstance(translation, RegexTranslation))
    assert isinstance(translation, RegexTranslation)
    exact = BacktrackMatcher(pattern, step_limit=100_000)
    translated = RegexMatcher(pattern, translation)
    for subject in (text, other, text + other):
        for start in (0, len(subject) // 2):
            try:
                span, expected = translated.search(subject, start), exact.search(subject, start)
            except MatchLimitExceeded:
                reject()
            assert span == expected, translation.source


@pytest.mark.parametrize(
    "units",
    [
        UnitSet.of([(0, 0x2F), (0x5B, 0x60)]),
        UnitSet.of([(0xD800, 0xDBFF), (0xDFFF, 0xDFFF)]),
        UnitSet.of([(0x2D, 0x2D), (0x5D, 0x5E), (0x26, 0x26), (0x7C, 0x7E), (0x5B, 0x5B)]),
        ~UnitSet.of([(0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029)]),
        UnitSet.single(0xDC00),
        EVERY_UNIT,
        NO_UNIT,
    ],
    ids=["ASCII", "surrogates", "punctuation", "dot", "one", "every", "none"],
)
def test_a_class_matches_exactly_its_units(units: UnitSet) -> None:
    compiled = regex.compile(class_source(units), regex.V1 | regex.ASCII | regex.DOTALL)
    matched = {unit for unit in range(0x10000) if compiled.fullmatch(chr(unit))}
    assert matched == {unit for low, high in units.ranges for unit in range(low, high + 1)}


def test_word_boundaries_are_ascii_for_every_unit() -> None:
    compiled = regex.compile(r"\b", regex.V1 | regex.ASCII | regex.DOTALL)
    word = {unit for unit in range(0x10000) if compiled.search(chr(unit))}
    assert word == {ord(char) for char in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"}


def test_case_insensitive_references_to_ascii_stay_in_ascii() -> None:
    source = source_of(r"(?i:([A-Za-z])\1)")
    compiled = regex.compile(source, regex.V1 | regex.ASCII | regex.DOTALL)
    for letter in "kKsSiIa":
        same = {chr(unit) for unit in range(0x10000) if compiled.fullmatch(letter + chr(unit))}
        assert same == {letter.lower(), letter.upper()}


@pytest.mark.parametrize(
    "pattern", ["(?:a|b|ab)*[cd]", "(?:(?:a|b|ab)+)+[cd]", "(?=(?:a|b|ab)*[cd])", r"((?:a|b|ab)*[cd])\1"]
)
def test_a_search_that_takes_regex_too_long_is_repeated_in_steps(pattern: str) -> None:
    translation = translate_simple(simplify(parse(pattern)))
    assert isinstance(translation, RegexTranslation)
    matcher = RegexMatcher(parse(pattern), translation, time_limit=0.02)
    assert matcher.search("ab" * 40) is None
    span = matcher.search("ab" * 40 + "!" + "abcabc")
    assert span is not None
    assert span.start == 81
    with pytest.raises(MatchLimitExceeded):
        RegexMatcher(parse(pattern), translation, time_limit=0.02, step_limit=100).search("ab" * 40)


def test_one_matcher_serves_many_threads() -> None:
    pattern = parse(r"(\w+) \1")
    translation = translate_simple(simplify(pattern))
    assert isinstance(translation, RegexTranslation)
    matcher = RegexMatcher(pattern, translation)
    texts = [f"{'x' * count} {'x' * count}" for count in range(1, 60)]
    with ThreadPoolExecutor(8) as pool:
        spans = list(pool.map(matcher.search, texts))
    assert spans == [Span(0, len(text)) for text in texts]
