import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from tests.esregex.finality import three_valued
from tests.esregex.pattern_strategies import patterns, unit_texts
from tests.property_examples import examples
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.finality.constant_assertions import fold_assertions
from ttsr_ls.esregex.finality.finality import final_form
from ttsr_ls.esregex.finality.horizon import is_end_sensitive
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.parse.flags import Flags
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import Backreference, Pattern, walk

MULTILINE = Flags(multiline=True)


def is_final(pattern: Pattern, text: str) -> bool:
    return BacktrackMatcher(final_form(pattern)).test(text)


@pytest.mark.parametrize(
    ("source", "final", "not_final"),
    [
        (r"\bany\b", ["any ", "an any."], ["any", "anyt", "many "]),
        ("unwrap(?!_or)", ["unwrapx", "unwrap ", "unwrap_x", "unwrap_ox"], ["unwrap", "unwrap_", "unwrap_or"]),
        ("done$", [], ["done", "done\n", "done."]),
        (r"a\B", ["ab"], ["a", "a "]),
        ("^$", [], ["", "a"]),
        ("", ["", "a"], []),
        ("a+", ["a"], ["", "b"]),
        ("(?=ab)a", ["ab"], ["a"]),
        (r"(?=ab\b)a", ["ab "], ["ab", "abc"]),
        ("a(?!b*c)", ["ad", "abd"], ["a", "ab", "abb", "abc"]),
        ("a(?!b$)", ["ac", "abc"], ["a", "ab"]),
        (r"a(?!\b)", ["ab"], ["a", "a "]),
        ("a(?!(?!b))", ["ab"], ["a", "ac"]),
        ("a(?!.*b)", ["a\n", "ac\n"], ["a", "ac", "ab", "acb\n"]),
        ("a(?!(?:bc){3})", ["abcd", "abcbcx"], ["a", "abcb", "abcbc", "abcbcbc"]),
        ("a(?![])", ["a"], []),
        ("a(?!b(?!))", ["a"], [""]),
        ("a(?!b[])", ["a"], [""]),
        ("a(?!b(?!c*))", ["a"], [""]),
        ("a(?!b(?:(?=)|c))", ["ac"], ["a", "ab"]),
        ("a(?!b^)", ["a"], [""]),
        ("a(?!(?:b^c){2,})", ["a"], [""]),
        ("a(?!(?:^b|c){2})", ["ab", "acb"], ["a", "ac", "acc"]),
        ("x(?!b(?<=(?=^)xb))", ["xc"], ["x", "xb"]),
        (r"a|b\b", ["a", "b "], ["b", "bc"]),
    ],
)
def test_a_match_is_final_once_no_continuation_can_undo_it(source: str, final: list[str], not_final: list[str]) -> None:
    pattern = parse(source)
    assert [text for text in final if not is_final(pattern, text)] == []
    assert [text for text in not_final if is_final(pattern, text)] == []


@pytest.mark.parametrize(
    ("source", "final", "not_final"),
    [
        ("a$", ["a\n", "a\u2028b"], ["a", "ab"]),
        ("a(?!$)", ["ab"], ["a", "a\n"]),
        ("x(?!\n^y)", ["xa", "x\nz"], ["x", "x\n", "x\ny"]),
        ("a(?!b^)", ["a"], [""]),
        ("a(?!b*^)", ["a"], [""]),
        (r"a(?!\s*^)", ["ab", "a b"], ["a", "a ", "a\n"]),
        ("a(?!(?:b^)+c)", ["a"], [""]),
        ("a(?!.^)", ["a"], [""]),
        (r"a(?!(?:.|\n)^)", ["ab"], ["a", "a\n"]),
        ("a(?!b?$)", ["abc"], ["a", "ab", "ab\n"]),
    ],
)
def test_line_ends_are_final_after_the_line_terminator(source: str, final: list[str], not_final: list[str]) -> None:
    pattern = parse(source, MULTILINE)
    assert [text for text in final if not is_final(pattern, text)] == []
    assert [text for text in not_final if is_final(pattern, text)] == []


@pytest.mark.parametrize(
    ("source", "final", "not_final"),
    [
        (r"(?<!\bno )any\b", ["any ", "mno any "], ["any", "no any "]),
        (r"(?<=a\b)", ["a "], ["a", "ab"]),
        (r"(?<!a\b)$", [], ["a", ""]),
        (r"b(?<!a\bb?)(?!c)", ["bd"], ["b", "bc"]),
        ("x(?!a(?<=a)c)", ["xb", "xab"], ["x", "xa", "xac"]),
        ("x(?!a(?<!b)c)", ["xab"], ["x", "xa", "xac"]),
        (r"x(?!.(?<=\W))", ["xa"], ["x", "x "]),
        ("x(?!.+(?<!a)c)", ["x\n"], ["x", "xa", "xac"]),
        ("x(?!a(?!a)(?<=b))", ["x"], [""]),
        (r"x(?!.\w?(?<=\W))", [], ["x", "xa", "x "]),
        ("x(?!(?<=x)c)", ["xa"], ["x", "xc"]),
        ("x(?!(?<=y)c)", ["x", "xc"], []),
    ],
)
def test_lookbehinds_are_decided_unless_their_position_is_unknown(
    source: str, final: list[str], not_final: list[str]
) -> None:
    pattern = parse(source)
    assert [text for text in final if not is_final(pattern, text)] == []
    assert [text for text in not_final if is_final(pattern, text)] == []


@pytest.mark.parametrize("source", [r"(a)(?!\1)", r"(?=(a+))\1b\b", r"(?<=(a))b\1\b", r"a\b(?=(b))(?!\1)"])
def test_references_in_or_to_lookarounds_are_final_only_at_the_end_of_the_block(source: str) -> None:
    pattern = parse(source)
    assert is_end_sensitive(pattern)
    for text in ("a", "aa", "aab", "aab ", "ab a", "ba a "):
        assert not is_final(pattern, text)


def test_references_outside_of_lookarounds_can_be_final() -> None:
    pattern = parse(r"(['\"])x\1\b")
    assert is_final(pattern, "'x'y")
    assert not is_final(pattern, "'x'")
    assert not is_final(pattern, "'x\"y")


def test_a_pattern_that_is_not_end_sensitive_is_its_own_final_form() -> None:
    pattern = parse(r"\bconsole\.log\(")
    assert final_form(pattern) is pattern


def test_the_final_form_of_a_deeply_nested_pattern() -> None:
    depth = 5000
    pattern = parse("(?:a(?!" * depth + r"\b" + "))?" * depth)
    assert final_form(pattern) is not pattern


def matches(matcher: BacktrackMatcher, text: str) -> bool:
    try:
        return matcher.test(text)
    except MatchLimitExceeded:
        reject()


@examples(1000)
@given(patterns(), unit_texts(6), st.lists(unit_texts(4), min_size=4, max_size=4))
def test_a_prefix_is_final_as_defined_and_matches_with_every_continuation(
    pattern: Pattern, text: str, follows: list[str]
) -> None:
    final = final_form(pattern)
    # Then every match is final, so what follows for final prefixes here holds for all that match.
    assert (final is pattern) is not is_end_sensitive(pattern)
    matcher, final_matcher = (BacktrackMatcher(each, step_limit=100_000) for each in (pattern, final))
    has_references = any(isinstance(node, Backreference) for node in walk(pattern.root))
    folded = None if has_references else fold_assertions(pattern)
    for end in range(len(text) + 1):
        prefix = text[:end]
        is_final = matches(final_matcher, prefix)
        if folded is not None:
            assert is_final == three_valued.is_final(folded, prefix), (pattern.source, prefix)
        if is_final:
            for following in ("", *follows):
                assert matches(matcher, prefix + following), (pattern.source, prefix, following)
                assert matches(final_matcher, prefix + following), (pattern.source, prefix, following)


def test_a_pattern_whose_form_is_too_large_is_final_only_at_the_end_of_the_block() -> None:
    depth = 1000
    pattern = parse("a(?!" + "(?:b(?<=b)" * depth + ")" * depth + ")")
    assert not is_final(pattern, "ac")
