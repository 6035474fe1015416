import pytest

from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.widths import WIDEST, first_units, greatest_width, least_width


@pytest.mark.parametrize(
    ("source", "least", "greatest"),
    [
        ("abc", 3, 3),
        ("a|bcd", 1, 3),
        ("a?b{2,4}", 2, 5),
        (r"a+\b(?=xyz)$", 1, WIDEST),
        (r"(a)\1", 1, WIDEST),
        ("(?:(?:a{99999}){99999}){99999}", WIDEST, WIDEST),
        ("(?:)*", 0, 0),
        ("(?:a{0})*", 0, 0),
    ],
)
def test_least_and_greatest_widths(source: str, least: int, greatest: int) -> None:
    root = parse(source).root
    assert fold_tree(root, least_width) == least
    assert fold_tree(root, greatest_width) == greatest


@pytest.mark.parametrize(
    ("source", "firsts", "may_be_empty"),
    [
        ("abc", "a", False),
        ("a?b|cd", "abc", False),
        ("(?=x)a*", "a", True),
        ("^[bc]", "bc", False),
        ("a{0}b", "ab", False),
    ],
)
def test_first_units_and_emptiness(source: str, firsts: str, may_be_empty: bool) -> None:
    units, empty = fold_tree(parse(source).root, first_units)
    assert empty is may_be_empty
    assert {chr(unit) for low, high in units.ranges for unit in range(low, high + 1)} == set(firsts)
