"""Claims about the languages of patterns agree with tables, with JavaScript engines, and with the matcher."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.esregex.pattern_strategies import patterns, unit_texts
from tests.esregex.regex_vectors import recorded_patterns
from tests.property_examples import examples
from ttsr_ls.esregex.analysis.effect.unmatchable_parts import unmatchable_parts
from ttsr_ls.esregex.analysis.graph.graph import AtomGraph
from ttsr_ls.esregex.analysis.graph.language import (
    graph_of_pattern,
    graphs_of,
    is_search_included,
    may_occur_in_language,
)
from ttsr_ls.esregex.analysis.graph.work import WorkBudget, WorkExhausted
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import Pattern
from ttsr_ls.rules.condition import compile_condition


def never_matches(graph: AtomGraph) -> bool:
    return not graph.empty and not graph.useful()


def pattern_of(text: str) -> Pattern:
    return compile_condition(text).pattern


def found_wherever(narrow: str, broad: str) -> bool:
    graphs = graphs_of([pattern_of(narrow).root, pattern_of(broad).root])
    assert graphs is not None
    return is_search_included(graphs[0], graphs[1], WorkBudget())


@pytest.mark.parametrize(
    ("narrow", "broad"),
    [
        ("foobar", "foo"),
        (r"\bany\b", "any"),
        (": any|as any", "any"),
        (r"TS\d{4}", "TS"),
        ("foo.*bar", "bar"),
        ("^foo", "foo"),
        ("foo$", "foo"),
        ("a+", "a"),
        ("a", "a+"),
        ("a{3,}", "aa"),
        ("foo(?=x)", "foo"),
        ("(?<!x)foo", "foo"),
        (r"\bfoo", r"(?<!\w)foo"),
        (r"(?<!\w)foo", r"\bfoo"),
        ("x", "(?i)X"),
        ("(?:foo|bar)baz", r"[or]baz"),
        (r"foo\b", r"foo(?:\W|$)"),
        (r"(a)b\1", "ab"),
    ],
)
def test_search_inclusion_is_proved(narrow: str, broad: str) -> None:
    assert found_wherever(narrow, broad)


@pytest.mark.parametrize(
    ("narrow", "broad"),
    [
        ("foo", "foobar"),
        ("any", r"\bany\b"),
        ("foo", "^foo"),
        ("foo", "(?m)foo$"),
        ("(?i)x", "x"),
        ("a", "aa"),
        ("foo", "foo(?=[\\s\\S]*x)"),
        ("aa", r"(a)\1"),
        (r"foo\b", r"foo\W"),
        ("a.b", "a[^c]b"),
        (r"\B", "(?:(?=a)){2}"),
    ],
)
def test_search_inclusion_is_not_claimed_if_uncertain(narrow: str, broad: str) -> None:
    assert not found_wherever(narrow, broad)


@given(patterns(), patterns(), unit_texts())
@examples(100)
def test_claims_agree_with_the_matcher(narrow: Pattern, broad: Pattern, text: str) -> None:
    graphs = graphs_of([narrow.root, broad.root])
    if graphs is None:
        return
    try:
        found, found_too = (BacktrackMatcher(pattern, 20_000).test(text) for pattern in (narrow, broad))
    except MatchLimitExceeded:
        return
    if is_search_included(graphs[0], graphs[1], WorkBudget()):
        assert found_too or not found
    if found:
        assert not never_matches(graphs[0])


def test_patterns_with_recorded_matches_can_match() -> None:
    seen = dead = 0
    for recorded in recorded_patterns("regex-handwritten.json.gz"):
        if not recorded.is_valid:
            continue
        pattern = parse(recorded.source, recorded.flags)
        graph = graph_of_pattern(pattern)
        if graph is None:
            continue
        seen += 1
        if never_matches(graph):
            dead += 1
            assert not any(match.match for match in recorded.matches or ()), recorded.source
    assert seen > 1000
    assert dead > 10


@pytest.mark.parametrize(
    ("pattern", "whole", "parts", "culprit"),
    [
        ("foo^bar", True, ["foo^bar"], "^"),
        ("foo$bar", True, ["foo$bar"], "$"),
        (r"a\bb", True, [r"a\bb"], r"\b"),
        ("[]a", True, ["[]a"], "[]"),
        ("a$\\n", True, ["a$\\n"], "$"),
        ("(?:x|foo^bar)y", False, ["foo^bar"], None),
        ("foo(?:^z|,)", False, ["^z"], None),
        ("x*^a", False, ["x*"], None),
        (r"a(?:[]|b)c", False, ["[]"], None),
        (r"a(?:-\b-|b)c", False, [r"-\b-"], None),
        (r"(?:x|^(?:a\bb)?)y", False, [r"(?:a\bb)?"], None),
    ],
)
def test_unmatchable_parts_are_found(pattern: str, whole: bool, parts: list[str], culprit: str | None) -> None:
    dead = unmatchable_parts(parse(pattern))
    assert dead is not None
    assert dead.whole is whole
    assert [pattern[span.start : span.end] for span in dead.spans] == parts
    blamed = None if dead.culprit is None else pattern[dead.culprit.span.start : dead.culprit.span.end]
    assert blamed == culprit


@pytest.mark.parametrize(
    "pattern",
    [
        r"\bfoo\b",
        "(^|x)foo",
        r"(?:^|\s)rm",
        r"foo\b\(",
        r"(?m)x\n^a",
        "(?m)a$\\n",
        "^$",
        "$^",
        r"a(?:\b|x)c",
        "(?!a)a?",
        "(?:^b{0}|b ){2}",
    ],
)
def test_matchable_patterns_have_no_unmatchable_parts(pattern: str) -> None:
    assert unmatchable_parts(pattern_of(pattern)) is None


@pytest.mark.parametrize(
    ("searched", "texts", "common"),
    [
        ("b", "^abc$", True),
        ("^b", "^abc$", False),
        ("c$", "^abc$", True),
        ("b$", "^abc$", False),
        (r"a\b", "^a(?:b|-)$", True),
        (r"a\b", "^ab$", False),
        ("(?:ab)+d", "^(?:ab)*c$", False),
        ("", "^abc$", True),
    ],
)
def test_may_occur_in_language(searched: str, texts: str, common: bool) -> None:
    graphs = graphs_of([parse(searched).root, parse(texts).root])
    assert graphs is not None
    assert may_occur_in_language(graphs[0], graphs[1], WorkBudget()) is common


def test_exhausted_work_raises() -> None:
    graphs = graphs_of([pattern_of("[ab]*c").root, pattern_of("[bc]*c").root])
    assert graphs is not None
    with pytest.raises(WorkExhausted):
        is_search_included(graphs[0], graphs[1], WorkBudget(5))
    anchored = graphs_of([pattern_of("b+c").root, pattern_of("^[a-c]*$").root])
    assert anchored is not None
    with pytest.raises(WorkExhausted):
        may_occur_in_language(anchored[0], anchored[1], WorkBudget(5))
