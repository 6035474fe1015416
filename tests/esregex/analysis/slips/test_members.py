"""Redundant members of classes, and whether the class stays the same without them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.esregex.analysis.slips.members import redundant_members
from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import Chars


def found(pattern: str) -> list[tuple[str, str, bool]]:
    return [
        (
            pattern[member.span.start : member.span.end],
            pattern[member.within.start : member.within.end],
            member.is_removable,
        )
        for member in redundant_members(parse(pattern))
    ]


@pytest.mark.parametrize(
    ("pattern", "members"),
    [
        (r"[aa]", [("a", "a", True)]),
        (r"[.\w.-]", [(".", ".", True)]),
        (r"[\w_]", [("_", r"\w", True)]),
        (r"[^\n\r\n]", [(r"\n", r"\n", True)]),
        (r"[b-da-z]", [("b-d", "a-z", True)]),
        (r"[a^a-z]", [("a", "a-z", False)]),
        (r"[+\-+]", [("+", "+", True)]),
        (r"[__\w]", [("_", r"\w", True), ("_", r"\w", True)]),
        (r"[a-cb-d]", []),
        (r"[\s\S]", []),
        (r"[[:space:]]", []),
        (r"[:alpha:]", []),
        (r"[:alph:x]", [(":", ":", True)]),
        (r"[\p{L}\p{N}]", []),
        (r"[a|b|c]", []),
        ("[\ud83d\ude00\ud83d\ude03]", []),
        (r"(?:[ab]|[a])a", []),
    ],
)
def test_redundant_members(pattern: str, members: list[tuple[str, str, bool]]) -> None:
    assert found(pattern) == members


def test_large_classes_are_not_analysed() -> None:
    assert found(f"[{'ab' * 50}]") != []
    assert found(f"[{'ab' * 51}]") == []


@given(st.lists(st.sampled_from(["a", "b", "-", "^", "a-c", r"\w", r"\d", "_", r"\-", "+", r"\n"]), min_size=2))
def test_removing_redundant_members_does_not_change_the_class(members: list[str]) -> None:
    source = f"[{''.join(members)}]"
    try:
        whole = parse(source).root
    except RegexSyntaxError:
        return
    redundant = list(redundant_members(parse(source)))
    if not isinstance(whole, Chars) or not all(member.is_removable for member in redundant):
        return
    for member in reversed(redundant):
        source = source[: member.span.start] + source[member.span.end :]
    pattern = parse(source)
    assert isinstance(pattern.root, Chars)
    assert pattern.root.units == whole.units
    assert list(redundant_members(pattern)) == []
