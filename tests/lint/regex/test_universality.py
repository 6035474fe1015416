"""Whether a pattern matches everything is decided, not sampled; samples only check the decision."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.tree.units import to_units
from ttsr_ls.lint.regex.universality import PatternBreadth, pattern_breadth
from ttsr_ls.rules.condition import compile_condition

EVERY, CHARACTER, SOME = PatternBreadth.EVERY_TEXT, PatternBreadth.EVERY_CHARACTER, PatternBreadth.SOME


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("", EVERY),
        ("(?i)", EVERY),
        ("(?:)", EVERY),
        ("^", EVERY),
        ("$", EVERY),
        ("(?m)^", EVERY),
        (".*", EVERY),
        ("a|", EVERY),
        ("|a", EVERY),
        ("a?b*c{0,3}", EVERY),
        ("(a|b)*", EVERY),
        ("(?:a?){5}", EVERY),
        ("a{0}", EVERY),
        ("(?=)", EVERY),
        ("(?=a*)", EVERY),
        ("(?!a)", EVERY),
        ("(?<!a)", EVERY),
        ("(?:^|x)y*", EVERY),
        (r"^[\s\S]*", EVERY),
        (r"^[\s\S]*$", EVERY),
        (r"^(?:[^a]|a)*$", EVERY),
        (r"^a?[\s\S]*b?$", EVERY),
        ("(?s)^.*$", EVERY),
        (".", CHARACTER),
        (".+", CHARACTER),
        (r"[\s\S]", CHARACTER),
        (r"[\s\S]+?", CHARACTER),
        (r"\w|\W", CHARACTER),
        (r"[^\n]", CHARACTER),
        ("a?.b?", CHARACTER),
        ("(.)", CHARACTER),
        ("a", SOME),
        (r"\w", SOME),
        (r"\S", SOME),
        ("..", SOME),
        (".{2,}", SOME),
        ("^$", SOME),
        ("^.*$", SOME),
        ("^.+", SOME),
        (r"\b", SOME),
        (r"\B", SOME),
        ("a*b", SOME),
        ("^(?!a)", SOME),
        ("^(?!.*a)", SOME),
        ("(?<=a)", SOME),
        ("(?=a)", SOME),
        (r"(a*)\1", SOME),
        ("(?:^[^]*$){2}", SOME),
        ("[]", SOME),
        ("[]*", EVERY),
    ],
)
def test_pattern_breadth_of_examples(source: str, answer: PatternBreadth) -> None:
    assert pattern_breadth(compile_condition(source).pattern) is answer


PIECES = ["a", "b", ".", "\\w", "\\s", "[^a]", "[^]", "^", "$", "\\b", "\\B", "|", "*", "+", "?", "{2}", "{0}", "\\1"]
PIECES += ["(", ")", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?m:", "(?s:"]


@given(
    st.lists(st.sampled_from(PIECES), max_size=10), st.lists(st.text("ab \n_é😀", max_size=6), min_size=1, max_size=6)
)
@settings(deadline=None)
def test_universal_patterns_match_any_text(pieces: list[str], texts: list[str]) -> None:
    try:
        condition = compile_condition("".join(pieces))
    except RegexSyntaxError:
        assume(False)
        return
    match pattern_breadth(condition.pattern):
        case PatternBreadth.EVERY_TEXT:
            assert all(condition.matcher.test(to_units(text)) for text in ["", *texts])
        case PatternBreadth.EVERY_CHARACTER:
            assert all(condition.matcher.test(to_units(text)) for text in texts if text.strip("\n"))
        case PatternBreadth.SOME:
            pass


def test_deep_nesting_is_no_crash() -> None:
    assert pattern_breadth(compile_condition("(" * 20_000 + "a?" + ")" * 20_000).pattern) is EVERY
