"""Classes of characters beyond U+FFFF, translated to units."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.esregex.analysis.slips.wide_classes import has_code_point_escape, in_units
from ttsr_ls.esregex.match.compile import compile_pattern
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.units import to_units

CHARACTERS = st.characters(exclude_categories=["Cs"]) | st.sampled_from("😀🙏🚀\U00010000\U0010ffff\U000103ff\uffff")


@pytest.mark.parametrize(
    ("written", "translated"),
    [
        ("[😀-😎]", "(?:\\ud83d[\\ude00-\\ude0e])"),
        ("[😀-😎✅🚀]", "(?:[✅]|\\ud83d[\\ude00-\\ude0e]|\\ud83d\\ude80)"),
        ("[\\u{1F600}-\\u{1F64F}]", "(?:\\ud83d[\\ude00-\\ude4f])"),
        ("[\\x{1F600}]", "(?:\\ud83d\\ude00)"),
        ("[\\U0001F600-\\U0001F64F]", "(?:\\ud83d[\\ude00-\\ude4f])"),
        ("[\\ud83d\\ude00-\\ud83d\\ude4f]", "(?:\\ud83d[\\ude00-\\ude4f])"),
        ("[\\u{10000}-\\u{10FFFF}]", "(?:[\\ud800-\\udbff][\\udc00-\\udfff])"),
        ("[\\s\\u{41}-\\u{5a}-]", "[\\s\\u0041-\\u005a\\-]"),
        ("[\\u{1F600}^]", "(?:[\\^]|\\ud83d\\ude00)"),
        ("[\\u{1F600}^a-z]", "(?:[\\^a-z]|\\ud83d\\ude00)"),
        ("[a\\u{1F600}-\\u{1F64F}-z]", "(?:[a\\-z]|\\ud83d[\\ude00-\\ude4f])"),
        ("[^\\u{41}\\]]", "[^\\u0041\\]]"),
        ("[^😀]", None),
        ("[\\u{41}\\p{L}]", None),
        ("[\\s-\\u{41}]", None),
        ("[\\u{42}-\\u{41}]", None),
        ("[\\u{41}-\\u{110000}]", None),
    ],
)
def test_classes_are_translated_to_units(written: str, translated: str | None) -> None:
    assert in_units(to_units(written)) == translated


@pytest.mark.parametrize(
    ("written", "expected"),
    [("[\\u{41}]", True), ("[\\U0001F600]", True), ("[\\u0041😀]", False), ("[\\\\u{41}]", False)],
)
def test_code_point_escapes_are_recognised(written: str, expected: bool) -> None:
    assert has_code_point_escape(written) is expected


@given(st.lists(st.tuples(CHARACTERS, CHARACTERS).map(sorted), min_size=1, max_size=3), CHARACTERS)
def test_translated_classes_match_the_same_characters(ranges: list[list[str]], character: str) -> None:
    written = "".join(f"\\u{{{ord(low):x}}}-\\u{{{ord(high):x}}}" for low, high in ranges)
    translated = in_units(f"[{written}]")
    assert translated is not None
    matcher = compile_pattern(parse(f"^{translated}$"))
    for tried in (character, *(end for bounds in ranges for end in bounds)):
        assert matcher.test(to_units(tried)) is any(low <= tried <= high for low, high in ranges)
