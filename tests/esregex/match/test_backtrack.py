import pytest

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.parse.flags import Flags
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.units import to_units
from ttsr_ls.text import Span


def search(source: str, text: str, start: int = 0) -> tuple[int, int] | None:
    span = BacktrackMatcher(parse(source)).search(to_units(text), start)
    return None if span is None else (span.start, span.end)


@pytest.mark.parametrize(
    ("source", "text", "span"),
    [
        ("a|ab", "abc", (0, 1)),
        ("((a)|(ab))((c)|(bc))", "abc", (0, 3)),
        ("a[a-z]{2,4}", "abcdefghi", (0, 5)),
        ("a[a-z]{2,4}?", "abcdefghi", (0, 3)),
        ("(aa|aabaac|ba|b|c)*", "aabaac", (0, 4)),
        ("(?:a*?)??b", "aab", (0, 3)),
        ("", "", (0, 0)),
        ("x", "", None),
        ("[]", "a", None),
        ("[^]", "\n", (0, 1)),
    ],
)
def test_matches_in_the_order_of_ecma_262(source: str, text: str, span: tuple[int, int] | None) -> None:
    assert search(source, text) == span


@pytest.mark.parametrize(
    ("source", "text", "span"),
    [
        ("(z)((a+)?(b+)?(c))*\\4$", "zaacbbbcac", (0, 10)),
        ("(?:(a)|b)*\\1$", "ab", (0, 2)),
        ("(?:(a)|(b))*\\1\\2$", "abb", (0, 3)),
        ("^(?:(a)|\\1b)+$", "aab", (0, 3)),
        ("(?:\\1(a))*$", "aa", (0, 2)),
    ],
    ids=["fourth group is unset in the last round", "alternative", "both", "within one loop", "forward"],
)
def test_captures_are_reset_at_the_start_of_each_round(source: str, text: str, span: tuple[int, int]) -> None:
    assert search(source, text) == span


@pytest.mark.parametrize(
    ("source", "text", "span"),
    [
        ("\\1(a)", "a", (0, 1)),
        ("(a\\1)", "aa", (0, 1)),
        ("(a)|\\1b", "b", (0, 1)),
        ("(?!(a))\\1b", "ab", (1, 2)),
        ("(?<n>a)\\k<n>", "baa", (1, 3)),
        ("(?:(?<n>a)|(?<n>b))\\k<n>", "abb", (1, 3)),
        ("(?:(?<n>a)|(?<n>b))*\\k<n>c", "abbc", (0, 4)),
    ],
)
def test_references_to_unset_groups_match_the_empty_string(source: str, text: str, span: tuple[int, int]) -> None:
    assert search(source, text) == span


@pytest.mark.parametrize(
    ("source", "text", "span"),
    [
        ("(?:|a)*", "aa", (0, 2)),
        ("(?:|a)+", "aa", (0, 2)),
        ("(?:a*)*b", "aab", (0, 3)),
        ("(?:a?){3}b", "ab", (0, 2)),
        ("(?:a?)*?b", "aab", (0, 3)),
        ("(?:|a){2}", "aa", (0, 0)),
        ("(?:|a){0,1}", "a", (0, 1)),
        ("(?:(?=a))*a", "a", (0, 1)),
    ],
)
def test_optional_rounds_must_consume(source: str, text: str, span: tuple[int, int]) -> None:
    assert search(source, text) == span


@pytest.mark.parametrize(
    ("source", "text", "span"),
    [
        ("(?<=^(\\d+)(\\d+))x\\2$", "1053x053", (4, 8)),
        ("(?<=\\1(\\d+))x", "1212x", (4, 5)),
        ("(?<=(\\d{2})\\1)x", "1212x", (4, 5)),
        ("(?<=(?<a>\\w){3})f\\1", "abcdfb", (4, 6)),
        ("(?<=a.*?)c", "abbc", (3, 4)),
        ("(?<!abc)\\w\\w\\w", "abcdef", (0, 3)),
        ("(?<=^|b)a", "ba", (1, 2)),
        ("(?<=a(?=bc)b)c", "abc", (2, 3)),
    ],
)
def test_lookbehinds_are_matched_from_right_to_left(source: str, text: str, span: tuple[int, int]) -> None:
    assert search(source, text) == span


@pytest.mark.parametrize(
    ("source", "text", "span"),
    [
        ("(?=(a+))a*b\\1", "baaabac", (3, 6)),
        ("(?=(a+))\\1a", "aaa", None),
        ("(.*?)a(?!(a+)b\\2c)\\2(.*)", "baaabaac", (0, 8)),
        ("(?!(?=a)ab)a", "abaa", (2, 3)),
        ("(?:(?=(a))b|a)c\\1", "ac", (0, 2)),
    ],
)
def test_lookarounds_are_atomic(source: str, text: str, span: tuple[int, int] | None) -> None:
    assert search(source, text) == span


@pytest.mark.parametrize(
    ("source", "flags", "text", "span"),
    [
        ("^b", Flags(), "a\nb", None),
        ("^b", Flags(multiline=True), "a\u2028b", (2, 3)),
        ("a$", Flags(), "a\n", None),
        ("a$", Flags(multiline=True), "a\u2029", (0, 1)),
        ("a$", Flags(multiline=True), "a\x0b", None),
        (r"\b", Flags(), "é a", (2, 2)),
        (r"\B", Flags(), "", (0, 0)),
        (r"(ſ)\1", Flags(ignore_case=True), "ſs", None),
        (r"(Σ)\1", Flags(ignore_case=True), "σς", (0, 2)),
        (r"(?<=\1(a))b", Flags(ignore_case=True), "Aab", (2, 3)),
        (r"\ud83d", Flags(), "😀", (0, 1)),
        ("^.$", Flags(), "😀", None),
    ],
)
def test_assertions_and_case_are_those_of_ecmascript(
    source: str, flags: Flags, text: str, span: tuple[int, int] | None
) -> None:
    found_span = BacktrackMatcher(parse(source, flags)).search(to_units(text))
    assert found_span == (None if span is None else Span(*span))


def test_assertions_see_the_text_before_the_start_of_the_search() -> None:
    assert search("^a", "aa", 1) is None
    assert search("(?<=a)a", "aa", 1) == (1, 2)
    assert search(r"\ba", "aa a", 1) == (3, 4)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("(a+)+$", "a" * 40 + "!"),
        ("(?:a|a)*b", "a" * 40),
        ("(?:(?:(?:a*)*)*)*b", "a" * 60),
        ("(?:" * 5000 + "a" + "){2}" * 5000, "a" * 5000),
        ("(?:(?:a?){100000}){100000}", "b"),
    ],
)
def test_a_search_raises_at_its_step_limit(source: str, text: str) -> None:
    matcher = BacktrackMatcher(parse(source), step_limit=20_000)
    with pytest.raises(MatchLimitExceeded):
        matcher.search(text)


def test_a_matcher_is_usable_after_a_search_that_reached_its_limit() -> None:
    matcher = BacktrackMatcher(parse("(a+)+$"), step_limit=20_000)
    with pytest.raises(MatchLimitExceeded):
        matcher.search("a" * 40 + "!")
    assert matcher.search("baa") == Span(1, 3)


@pytest.mark.parametrize(
    ("opening", "closing"), [("(", ")"), ("(?:", ")"), ("(?:", ")*"), ("(?!", ")"), ("(?<=", ")"), ("(?:a|", ")")]
)
def test_deeply_nested_patterns_compile_and_match(opening: str, closing: str) -> None:
    depth = 3000
    matcher = BacktrackMatcher(parse(opening * depth + "a" + closing * depth), step_limit=10_000_000)
    assert matcher.search("ba") is not None


def test_a_class_repeated_over_a_long_text_costs_few_steps() -> None:
    matcher = BacktrackMatcher(parse("x[^y]*y"), step_limit=100_000)
    assert matcher.search("x" + "a" * 500_000 + "y") == Span(0, 500_002)


@pytest.mark.parametrize(
    ("source", "text", "steps"),
    [
        ("[^;]*foo", 50 * "x", 55),
        ("[^;]*foo", "a foo b foo c" + 20 * "x", 30),
        (r"\w+foo\w+;", 9 * "foo", 123),
    ],
)
def test_positions_that_are_skipped_at_once_count_as_steps(source: str, text: str, steps: int) -> None:
    assert BacktrackMatcher(parse(source)).count_steps(text, 0) == steps


def test_skipped_positions_count_towards_the_step_limit() -> None:
    with pytest.raises(MatchLimitExceeded):
        BacktrackMatcher(parse("[^;]*foo"), 100).count_steps(120 * "x", 0)
