"""Glob overlap: two globs that do not overlap match no common file."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ttsr_ls.globs.glob_overlap import may_match_same_name
from ttsr_ls.rules.path_glob import PathGlob

DISJOINT = [
    ("*.ts", "*.py"),
    ("src/**/*.ts", "*.{py,rs}"),
    ("*.test.ts", "*.tsx"),
    ("a.md", "b.md"),
    ("src/[a-c].ts", "[d-f].ts"),
    ("?.ts", "ab.ts"),
    ("**/Makefile", "*.mk"),
    ("{a,b}/c.ts", "{c.js,d.ts}"),
]
MAYBE = [
    ("*.ts", "*.ts"),
    ("*.ts", "src/**"),
    ("src/**", "test/**"),
    ("*.{ts,py}", "*.py"),
    ("a*.ts", "*b.ts"),
    ("*", "x"),
    ("!*.ts", "*.py"),
    ("[!a].ts", "*.py"),
    ("+(a|b).ts", "*.py"),
    ("src/", "*.py"),
    ("[a-c]x", "[c-d]x"),
    ("v{1..3}.ts", "v2.ts"),
]


@pytest.mark.parametrize(("one", "other"), DISJOINT)
def test_globs_without_a_common_file_name_do_not_overlap(one: str, other: str) -> None:
    assert not may_match_same_name(one, other)
    assert not may_match_same_name(other, one)


@pytest.mark.parametrize(("one", "other"), MAYBE)
def test_globs_with_a_possible_common_file_name_may_overlap(one: str, other: str) -> None:
    assert may_match_same_name(one, other)
    assert may_match_same_name(other, one)


PIECES = st.lists(st.sampled_from(["a", "b", ".", "*", "**", "/", "?", "[ab]", "[!a]", "{a,b}", "{b,*.a}", "@(a|b)"]))


@given(PIECES, PIECES, st.lists(st.text("ab./", max_size=6), max_size=30))
@settings(deadline=None)
def test_globs_that_do_not_overlap_match_no_common_path(one: list[str], other: list[str], paths: list[str]) -> None:
    first, second = "".join(one), "".join(other)
    if not may_match_same_name(first, second):
        globs = PathGlob(first), PathGlob(second)
        assert not [path for path in paths if path.strip("/") and all(glob.matches_any((path,)) for glob in globs)]


def test_hostile_globs_are_compared_quickly() -> None:
    assert may_match_same_name("{a,b}" * 80, "*")
    assert may_match_same_name("*a" * 190 + "b", "*a" * 190 + "b")
    assert not may_match_same_name("*a" * 190 + "b", "*a" * 190 + "c")
