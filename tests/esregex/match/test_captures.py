"""Groups capture what ECMA-262 says, including groups without a backreference."""

from __future__ import annotations

import pytest

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.parse.parser import parse


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("(a)|(b)", "b", [None, "b"]),
        # Each round of a loop begins without captures: the example of ECMA-262, 22.2.2.3.1.
        ("(z)((a+)?(b+)?(c))*", "zaacbbbcac", ["z", "ac", "a", None, "c"]),
        ("(?:(a)|b)*", "ab", [None]),
        ("(?=(a+))a*b\\1", "aab", []),
        ("(?=(a+))a*", "aab", ["aa"]),
        ("(?!(a))b", "b", [None]),
        ("(?<=(a)(b))c", "abc", []),
        ("a(?<x>b)?(c)", "ac", [None, "c"]),
        ("()", "", [""]),
        ("x", "x", []),
    ],
)
def test_groups_capture_what_the_standard_says(pattern: str, text: str, expected: list[str | None]) -> None:
    found = BacktrackMatcher.recording_captures(parse(pattern)).captures(text, 0)
    assert [None if span is None else text[span.start : span.end] for span in found] == expected


def test_captures_of_a_lookbehind_are_before_the_match() -> None:
    found = BacktrackMatcher.recording_captures(parse("(?<=(a)(b))c")).captures("abc", 2)
    assert [(span.start, span.end) for span in found if span is not None] == [(0, 1), (1, 2)]


def test_captures_raise_at_the_step_limit() -> None:
    with pytest.raises(MatchLimitExceeded):
        BacktrackMatcher.recording_captures(parse("(a*)*b"), 1_000).captures("a" * 40, 0)
