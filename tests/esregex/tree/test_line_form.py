"""The line form of a pattern matches a text exactly when the pattern matches a line of it."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.esregex.pattern_strategies import patterns, unit_texts
from tests.property_examples import examples
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.compile import compile_pattern
from ttsr_ls.esregex.parse.flags import Flags
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.line_form import line_feed_nodes, line_source, matches_some_line

FLAGS = st.builds(Flags, st.booleans(), st.booleans(), st.booleans())


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("foo", "foo"),
        ("a.b", "a.b"),
        ("^foo$", r"(?<![^\n])foo(?![^\n])"),
        (r"a\s+b", r"a[^\S\n]+b"),
        (r"\W\D\S", r"[^\w\n][^\d\n]\S"),
        ("[^x]+", r"[^\nx]+"),
        ("[^-x]", r"(?:(?!\n)[^-x])"),
        (r"[\s\S]*", r"[^\n]*"),
        ("[^]", r"[^\n]"),
        (r"[\s,]", r"(?:(?!\n)[\s,])"),
        (r"a\nb", "a[]b"),
        (r"\x0a\12\cJ", "[][][]"),
        (r"(?<=^|\s)a", r"(?<=(?<![^\n])|[^\S\n])a"),
        (r"(?m:^a$)", r"(?m:^a$)"),
    ],
)
def test_the_line_form_excludes_line_feeds(pattern: str, expected: str) -> None:
    assert line_source(parse(pattern)) == expected


def test_the_line_form_of_a_dot_all_dot_excludes_line_feeds() -> None:
    assert line_source(parse("a.b", Flags(dot_all=True))) == r"a[^\n]b"


@examples(200)
@given(patterns().map(lambda pattern: pattern.source), FLAGS, unit_texts(12))
def test_the_line_form_matches_exactly_if_some_line_matches(source: str, flags: Flags, text: str) -> None:
    pattern = parse(source, flags)
    by_line = compile_pattern(pattern)
    whole = compile_pattern(parse(line_source(pattern), flags))
    try:
        expected = any(by_line.test(line) for line in text.split("\n"))
        found = whole.test(text)
    except MatchLimitExceeded:
        assume(False)
    assert found == expected
    assert not expected or matches_some_line(pattern)


@pytest.mark.parametrize(
    ("pattern", "some_line"),
    [
        (r"a\nb", False),
        (r"a\n?b", True),
        (r"a\nb|c", True),
        (r"(?:\n)+", False),
        (r"(?=a\nb)a", False),
        (r"(?!a\nb)a", True),
        (r"(\n){0}", True),
        ("[]", False),
    ],
)
def test_matches_some_line_is_false_if_all_paths_consume_a_line_feed(pattern: str, some_line: bool) -> None:
    assert matches_some_line(parse(pattern)) == some_line


def test_line_feed_nodes_finds_literals_escapes_and_classes() -> None:
    found = line_feed_nodes(parse(r"\n a[\n]\x0a\s."))
    assert [(node.span.start, node.span.end) for node in found] == [(0, 2), (4, 8), (8, 12)]
