"""The regular expressions of globs match like the glob matchers that they replace."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.processor_time import processor_time_below
from ttsr_ls.globs.glob import Glob
from ttsr_ls.globs.match import matches_path
from ttsr_ls.globs.parser import parse_glob
from ttsr_ls.globs.regex_form import MAX_PATH, regex_form

VECTORS = json.loads(gzip.decompress((Path(__file__).parents[1] / "vectors" / "globs.json.gz").read_bytes()))
PARTS = ["**/", "**", "*", "?", "/", "a", "b", ".", "ab", "[a-b]", "[.-0]", "[b-a]", "[!a]", "{a,ab}", "{a/,b}", "{,a}"]
GLOBS = st.lists(st.sampled_from([*PARTS, "@(a|.b)", "?(a)", "{1..3}", "\n", "é", "+", "\\*"]), max_size=8).map("".join)
PATHS = st.text("ab/.é\n+*1", max_size=10)


@pytest.mark.parametrize(
    ("glob", "expression"),
    [
        ("*.ts", r"[^/]*\.ts"),
        ("src/**/*.{ts,tsx}", r"src/(?:.*/)?[^/]*\.(?:ts|tsx)"),
        ("**/test_?[0-9].py", r"(?:.*/)?test_[^/][0-9]\.py"),
        ("docs/**", "docs/.*"),
    ],
)
def test_a_usual_glob_has_a_regular_expression(glob: str, expression: str) -> None:
    found = regex_form(parse_glob(glob))
    assert found is not None
    assert found.pattern == expression


@pytest.mark.parametrize(
    "glob",
    [
        "a*b*c*d",
        "*/*/*/*",
        "[!a].ts",
        "[.-0]",
        "[b-a]",
        "{1..3}",
        "!(a)",
        "{*.ts,a}",
        "a**/**/b",
        "{a,b}{a,b}{a,b}{a,b}{a,b}",
    ],
)
def test_slow_and_special_globs_have_no_regular_expression(glob: str) -> None:
    assert regex_form(parse_glob(glob)) is None


@settings(max_examples=2000, deadline=None)
@given(GLOBS, st.lists(PATHS, min_size=1, max_size=6))
def test_the_regular_expression_of_a_glob_matches_like_the_glob(glob: str, paths: Sequence[str]) -> None:
    elements = parse_glob(glob)
    expression = regex_form(elements)
    if expression is not None:
        for path in paths:
            assert (expression.fullmatch(path) is not None) is matches_path(elements, path), path


def test_a_glob_matches_as_in_bun_after_many_paths() -> None:
    answered = 0
    for glob, answers in (*VECTORS["handwritten"], *VECTORS["generated"]):
        used = Glob(glob)
        for _ in range(40):
            used.matches("a")
        assert [used.matches(path) for path, _ in answers] == [expected for _, expected in answers], glob
        answered += len(answers)
    assert answered > 3000


def test_long_paths_are_matched_without_the_regular_expression() -> None:
    glob = Glob("**/*.ts")
    for length in (MAX_PATH - 4, MAX_PATH, 4000):
        assert [glob.matches("a/" * (length // 2) + name) for name in ["a.ts"] * 40 + ["a.js"]] == [True] * 40 + [False]


@pytest.mark.parametrize("glob", ["**/a/**/a/**/b", "**/*a*b", "*a*/**/b", "**/*a/**/b", "{a,aa}{a,aa}{a,aa}*a*/b"])
def test_hostile_paths_are_matched_quickly(glob: str) -> None:
    expression = regex_form(parse_glob(glob))
    assert expression is not None
    with processor_time_below(0.7, clock=time.thread_time):
        for path in ("a" * MAX_PATH, "a/" * (MAX_PATH // 2), "aaaaaaa/" * (MAX_PATH // 8), "aaa/" * (MAX_PATH // 4)):
            for _ in range(5):
                assert expression.fullmatch(path) is None
