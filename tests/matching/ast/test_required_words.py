"""The words that a text must contain for an AST pattern to match."""

import pytest

from ttsr_ls.matching.ast.required_words import RequiredWords, has_required_words, required_words_of


@pytest.mark.parametrize(
    ("text", "required", "expected"),
    [
        ("foo", ("foo",), True),
        ("(foo)", ("foo", "bar"), False),
        ("bar.foo", ("foo", "bar"), True),
        # A number may end before a letter, and in broken code, a keyword may end before a digit.
        ("10foo", ("foo",), True),
        ("null8", ("null",), True),
        ("", (), True),
        ("fo o", ("foo",), False),
    ],
)
def test_required_words_are_found_anywhere_in_the_text(text: str, required: RequiredWords, expected: bool) -> None:
    assert has_required_words(text, required) is expected


def test_only_names_in_capitals_are_metavariables() -> None:
    assert required_words_of("f($Abc, $ABC, $$$, $_x)") == ("abc", "_x")
