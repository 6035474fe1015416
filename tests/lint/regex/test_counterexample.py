"""A counter-example is one: its beginning matches and is not final, and all of it does not match."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ttsr_ls.esregex.errors import MatchLimitExceeded, RegexSyntaxError
from ttsr_ls.esregex.finality.horizon import end_sensitive_nodes
from ttsr_ls.lint.regex.counterexample import CounterExample, find_counterexample
from ttsr_ls.lint.regex.samples import sample_texts
from ttsr_ls.rules.condition import compile_condition


def find(source: str) -> CounterExample | None:
    condition = compile_condition(source)
    return find_counterexample(condition, tuple(end_sensitive_nodes(condition.pattern)))


@pytest.mark.parametrize(
    ("source", "shown", "rest"),
    [
        (r"\bany\b", "any", "s"),
        ("done$", "done", "s"),
        ("(?m)done$", "done", "s"),
        ("unwrap(?!_or)", "unwrap", "_or"),
        (r"foo(?![\s\S]*bar)", "foo", "bar"),
        (r"\.unwrap\(\)(?!;)", ".unwrap()", ";"),
        ("^(?!.*foo)", "", "foo"),
        (r"(?m)=> [^{\n]+$", "=> s", "{"),
        (r"\b(\w+)\s+\1\b", "s s", "s"),
        (r"(?:q|catch\s*\{\s*\}(?!\s*finally))", "catch{}", "finally"),
        (r"TODO(?!\(#\d+\))", "TODO", "(#1)"),
        ("x{3}$", "xxx", "s"),
    ],
)
def test_find_counterexample_returns_the_expected_text(source: str, shown: str, rest: str) -> None:
    assert find(source) == CounterExample(shown, rest)


@pytest.mark.parametrize(
    "source",
    [
        "foo",
        r"\bfoo",
        r"any(?=\W)",
        r"\b\w+\b",
        "==(?!=)",
        "(?:foo$|foo)",
    ],
)
def test_find_counterexample_returns_none_if_the_whole_text_matches(source: str) -> None:
    assert find(source) is None


def test_find_counterexample_raises_for_a_slow_pattern() -> None:
    with pytest.raises(MatchLimitExceeded):
        find(r"^(?:x|x){60}(?:y)?\b$")


PIECES = ["a", "b", "x", ".", "\\w", "[^a]", "^", "$", "\\b", "\\B", "|", "*", "+", "?", "{2}", "\\1"]
PIECES += ["(", ")", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?m:"]


@given(st.lists(st.sampled_from(PIECES), max_size=12))
@settings(deadline=None)
def test_each_counterexample_is_valid(pieces: list[str]) -> None:
    try:
        condition = compile_condition("".join(pieces))
    except RegexSyntaxError:
        assume(False)
        return
    try:
        example = find_counterexample(condition, tuple(end_sensitive_nodes(condition.pattern)))
    except MatchLimitExceeded:
        return
    if example is not None:
        assert condition.is_end_sensitive
        assert condition.matcher.test(example.shown)
        assert not condition.final_matcher.test(example.shown)
        assert not condition.matcher.test(example.shown + example.rest)


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("abc", ("abc",)),
        ("a|b", ("a", "b")),
        ("a{3}", ("aaa",)),
        ("[0-9]+", ("1", "11")),
        (r"(['\"])x\1", ('"x"',)),
        ("[]", ()),
        ("a[]|b", ("b",)),
        ("a{100000}", ()),
    ],
)
def test_sample_texts_of_examples(source: str, texts: tuple[str, ...]) -> None:
    assert sample_texts(compile_condition(source).pattern.root)[: len(texts)] == texts


def test_samples_are_bounded() -> None:
    nested = "(?:" * 200 + "[ab]" + ")?(?:c|d){1,3}" * 200
    found = sample_texts(compile_condition(nested).pattern.root)
    assert len(found) <= 6
    assert all(len(text) <= 200 for text in found)
