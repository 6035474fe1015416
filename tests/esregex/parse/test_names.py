import pytest

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.names import read_group_name, shortened_name
from ttsr_ls.esregex.tree.units import to_units


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("n", "n"),
        ("$_1", "$_1"),
        ("été", "été"),
        ("π", "π"),
        ("Ⅷ", "Ⅷ"),
        ("℘", "℘"),
        ("a\u200c\u200d", "a\u200c\u200d"),
        ("a·", "a·"),
        ("a\u0301", "a\u0301"),
        ("a٣", "a٣"),
        ("𝒜", "𝒜"),
        ("a𝟘", "a𝟘"),
        ("\\u0061b", "ab"),
        ("\\u{1d49c}", "𝒜"),
        ("\\ud835\\udc9c", "𝒜"),
        ("\\u{000000000061}", "a"),
    ],
)
def test_names_are_identifiers_read_through_escapes(written: str, name: str) -> None:
    source = to_units(f"<{written}>x")
    assert read_group_name(source, 1) == (name, len(source) - 1)


@pytest.mark.parametrize(
    "written",
    [
        *("", "1", "a-b", "a b", " a", "\u200ca", "·a", "\u0301", "😀", "a😀", "\u2e2f", "a\u2e2f", "a\n"),
        *(
            "\\",
            "\\n",
            "\\x61",
            "\\u61",
            "\\u{}",
            "\\u{110000}",
            "\\u{-1}",
            "\\u0031",
            "\\u{1f600}",
            "\\ud835",
            "\ud835",
        ),
        *("\\udc9c\\ud835", "\udc9c\ud835", "\\ud835\udc9c"),
    ],
)
def test_other_names_are_syntax_errors(written: str) -> None:
    with pytest.raises(RegexSyntaxError):
        read_group_name(to_units(f"<{written}>"), 1)


def test_long_names_are_shortened_for_messages() -> None:
    assert shortened_name("name") == "name"
    assert shortened_name("n" * 1000) == "n" * 48 + "…"
