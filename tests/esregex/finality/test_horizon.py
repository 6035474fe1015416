import pytest

from ttsr_ls.esregex.finality.horizon import is_end_sensitive
from ttsr_ls.esregex.parse.flags import Flags
from ttsr_ls.esregex.parse.parser import parse


@pytest.mark.parametrize(
    "source",
    [
        r"any\b",
        r"\b",
        r"x\B",
        "done$",
        "a(?!b)",
        r"a(?=b\b)",
        r"(?:a|b$)c*",
        r"(?:a\b)+",
        r"(?!foo)\w\w",
        r"\bfoo|bar\b",
        r"(?<=a\b)",
        r"(?<!\b)a*",
        r"^(?=..(y*))x\1",
    ],
)
def test_patterns_that_look_past_the_end_of_their_match_are_end_sensitive(source: str) -> None:
    assert is_end_sensitive(parse(source))


@pytest.mark.parametrize(
    "source",
    [
        r"\bany",
        r"\bany\b\s",
        "abc",
        r"(?!foo)\w{3}",
        r"(?!fo?o)\w{3}",
        "a$b",
        "(?=.*b)a",
        r"(?=a\bb)",
        r"(?<!\bno )any",
        r"(?<=\bany)\.",
        r"(?<=\bany)",
        r"(?:\bfoo)+",
        r"(?=.*(.)\1)a",
        r"(['\"])x\1",
        "^",
        "",
    ],
)
def test_patterns_that_look_only_at_consumed_text_are_not_end_sensitive(source: str) -> None:
    assert not is_end_sensitive(parse(source))


def test_the_start_of_a_line_is_not_end_sensitive_but_its_end_is() -> None:
    assert not is_end_sensitive(parse("^a", Flags(multiline=True)))
    assert is_end_sensitive(parse("a$", Flags(multiline=True)))
    assert not is_end_sensitive(parse("a$\n", Flags(multiline=True)))


def test_end_sensitivity_with_huge_counts() -> None:
    assert is_end_sensitive(parse("(?!(?:(?:a{999999}){999999}){999999})b{999999}"))
    assert is_end_sensitive(parse("(?!" + "(?:" * 3000 + "a" + "){99}" * 3000 + ")b"))
