"""Suspicious text of patterns: other dialects, characters, classes, and parts without an effect."""

from __future__ import annotations

import pytest

from ttsr_ls.esregex.analysis.effect.redundant_parts import leading_repeat_of_any, redundant_parts
from ttsr_ls.esregex.analysis.slips.classes import MixedRange, WordsInClass, invisible_units, odd_classes
from ttsr_ls.esregex.analysis.slips.dialects import END, START, ForeignConstruct, UselessEscape, foreign_syntax
from ttsr_ls.esregex.analysis.slips.punctuation import punctuated_boundaries
from ttsr_ls.esregex.analysis.slips.separators import alternations_with_blanks
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.parse.parser import parse


@pytest.mark.parametrize(
    ("source", "written", "replacement"),
    [
        (r"\Afoo", r"\A", START),
        (r"foo\Z", r"\Z", END),
        (r"foo\z", r"\z", END),
        (r"a\hb", r"\h", r"[ \t]"),
        (r"a\Rb", r"\R", r"(?:\r\n|\n|\r)"),
        (r"\Qa.b*\E+", r"\Qa.b*\E", r"a\.b\*"),
        (r"\Qa.b", r"\Qa.b", r"a\.b"),
        (r"\p{L}+", r"\p{L}", None),
        (r"x\x{41}", r"\x{41}", r"\u0041"),
        (r"x\u{1F600}", r"\u{1F600}", r"\ud83d\ude00"),
        (r"a\Kb", r"\K", None),
        ("a{,3}b", "{,3}", "{0,3}"),
        ("[[:space:]]+", "[[:space:]]", r"\s"),
        ("a[:space:]b", "[:space:]", r"\s"),
        ("[:alpha:]", "[:alpha:]", "[A-Za-z]"),
        ("[^[:alpha:]_]+", "[^[:alpha:]_]", "[^A-Za-z_]"),
        ("[[:upper:][:digit:]]", "[[:upper:][:digit:]]", "[A-Z0-9]"),
        (r"[a\h]", r"\h", r" \t"),
        ("/foo.x/gi", "/foo.x/gi", "(?i)foo.x"),
    ],
)
def test_foreign_syntax_has_its_span_and_replacement(source: str, written: str, replacement: str | None) -> None:
    (found,) = foreign_syntax(source)
    assert isinstance(found, ForeignConstruct)
    assert source[found.span.start : found.span.end] == written
    assert found.replacement == replacement


@pytest.mark.parametrize(
    ("source", "matches", "differs"),
    [
        (r"^\Afoo", "foo", "Afoo"),
        (r"a\h+b", "a\t b", "ahb"),
        ("[[:digit:]]", "7", ":]"),
        ("xa{,2}y", "xaay", "xa{,2}y"),
    ],
)
def test_replacements_match_what_the_foreign_syntax_means(source: str, matches: str, differs: str) -> None:
    (found,) = foreign_syntax(source)
    assert isinstance(found, ForeignConstruct)
    assert found.replacement is not None
    fixed_text = source[: found.span.start] + found.replacement + source[found.span.end :]
    before, after = BacktrackMatcher(parse(source)), BacktrackMatcher(parse(fixed_text))
    assert (before.test(matches), after.test(matches)) == (False, True)
    assert (before.test(differs), after.test(differs)) == (True, False)


@pytest.mark.parametrize(
    "source",
    [r"\\Afoo", r"\d\w\s\b\B\n\t\v\f\r\0\x41\u0041\cA\D\W\S", r"\.\-\/\<\>\@\#\"", "[:spaces:]", "{,3}",
     "({,3})", r"\{,3}", "/usr/lib", "https?://x/i", "/i", r"[\b\]\\-]"],
)  # fmt: skip
def test_ecmascript_syntax_is_not_reported_as_foreign(source: str) -> None:
    assert list(foreign_syntax(source)) == []


@pytest.mark.parametrize(("source", "letter"), [(r"\yes", "y"), (r"[\m]", "m"), (r"[\A-Z]", "A")])
def test_escapes_of_plain_letters_are_useless(source: str, letter: str) -> None:
    (found,) = foreign_syntax(source)
    assert isinstance(found, UselessEscape)
    assert found.letter == letter


def test_invisible_characters_are_found() -> None:
    source = "a\u00a0b\u200bc\ufeff\u202e\x08\xad d\té\n😀"
    assert [span.start for span in invisible_units(source)] == [1, 3, 5, 6, 7, 8]


@pytest.mark.parametrize(
    ("source", "replacement"), [("[A-z]", "A-Za-z"), ("[^F-q_]", "F-Za-q"), ("[0-Z]", "0-9A-Z"), ("[3-f]", "3-9A-Za-f")]
)
def test_mixed_ranges_have_a_replacement(source: str, replacement: str) -> None:
    (found,) = odd_classes(parse(source))
    assert isinstance(found, MixedRange)
    assert found.replacement == replacement


@pytest.mark.parametrize("source", ["[a-z]", "[A-F0-9]", "[ -~]", "[!-/]", "[+-9]", "[а-я]", "[a|b]", "[|]", "x[foo]"])
def test_ordinary_classes_are_not_odd(source: str) -> None:
    assert list(odd_classes(parse(source))) == []


def test_words_in_a_class_are_odd() -> None:
    (found,) = odd_classes(parse("x[^foo|bar]"))
    assert isinstance(found, WordsInClass)
    assert found.words == ("foo", "bar")
    assert found.is_negated


@pytest.mark.parametrize(
    ("source", "removed"),
    [("a{1}", "{1}"), ("(?:ab){1,1}", "{1,1}"), ("ab{0}", "b{0}"), ("a{3}?", "?"), (r"\b\ba", r"\b"), ("^^a", "^")],
)
def test_redundant_parts_are_found(source: str, removed: str) -> None:
    (part,) = redundant_parts(parse(source))
    assert source[part.removed.start : part.removed.end] == removed


@pytest.mark.parametrize("source", ["a{1,2}b{2}c??", r"\b\B", "(?=a)(?=a)b", "a*?", r"(a){0}(b)\2"])
def test_parts_with_an_effect_are_not_redundant(source: str) -> None:
    assert list(redundant_parts(parse(source))) == []


@pytest.mark.parametrize(
    ("source", "part"),
    [
        (".*foo", ".*"),
        (r"[\s\S]*?foo", r"[\s\S]*?"),
        ("[^]*a|b", None),
        ("^.*foo", None),
        (".+foo", None),
        (r"\s*foo", None),
    ],
)
def test_leading_repeat_of_any_character_is_found(source: str, part: str | None) -> None:
    span = leading_repeat_of_any(parse(source))
    assert (None if span is None else source[span.start : span.end]) == part


@pytest.mark.parametrize("source", ["(^ | $)", "( in | of )", "(SELECT | FROM | WHERE )", "a| b", "a |b", "x( | )"])
def test_intended_blanks_around_bars_are_not_reported(source: str) -> None:
    assert not list(alternations_with_blanks(parse(source)))


@pytest.mark.parametrize("source", ["(?:\\w|\\.)+\\b", "\\b:x", "std::\\b", "foo=\\b", "\\b\\(", "x\\b\\.y", "\\b[^a]"])
def test_intended_boundaries_are_not_reported(source: str) -> None:
    assert not list(punctuated_boundaries(parse(source)))
