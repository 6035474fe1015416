"""Globs against Bun's recorded answers, and against hostile input."""

import gzip
import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.processor_time import processor_time_below
from ttsr_ls.globs.glob import MAX_GLOB, MAX_PATH, Glob

VECTORS = json.loads(gzip.decompress((Path(__file__).parents[1] / "vectors" / "globs.json.gz").read_bytes()))


def differences(recorded: list[tuple[str, list[tuple[str, bool]]]]) -> list[tuple[str, str, bool]]:
    return [
        (glob, path, expected)
        for glob, answers in recorded
        for path, expected in answers
        if Glob(glob).matches(path) is not expected
    ]


def test_every_handwritten_pair_matches_as_in_bun() -> None:
    assert sum(len(answers) for _, answers in VECTORS["handwritten"]) > 1500
    assert not differences(VECTORS["handwritten"])


def test_every_generated_pair_matches_as_in_bun() -> None:
    assert sum(expected for _, answers in VECTORS["generated"] for _, expected in answers) > 500
    assert not differences(VECTORS["generated"])


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("src/**", "src", False),
        ("src/**", "src/", True),
        ("a**b", "ax/b", False),
        ("*.ts", ".ts", True),
        ("!!a", "a", True),
        ("{a, b}", "b", False),
        ("*.ts,*.tsx", "a.ts", False),
        ("[[:alpha:]]", "a", False),
        ("{a", "{a", True),
        ("[a", "[a", True),
    ],
)
def test_surprising_globs_match_as_in_bun(glob: str, path: str, expected: bool) -> None:
    assert Glob(glob).matches(path) is expected


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("{a,b}" * 800, "a" * 799 + "c"),
        ("{a,aa}" * 600, "a" * 8000),
        ("**/" * 1300 + "x", "a/" * 4000),
        ("*a" * 2000, "a" * 8000 + "b"),
        ("*(*(*(*(a))))b", "a" * 8000),
        ("!(!(!(!(a))))b", "a" * 8000),
        ("+(a|aa|*)" * 400 + "b", "a" * 8000),
        ("{" * 4000, "a"),
        ("[" * 4000, "a"),
        ("@(" * 2000, "a"),
        ("{a," * 1000 + "b" + "}" * 1000, "b"),
        ("{1..9999999999}" * 200, "1" * 8000),
        ("**/*a*b" * 500, ("a" * 20 + "/") * 380),
    ],
    ids=lambda value: value[:12],
)
def test_hostile_globs_are_matched_quickly(glob: str, path: str) -> None:
    with processor_time_below(0.7, clock=time.thread_time):
        assert not Glob(glob).matches(path)


def test_too_long_globs_and_paths_match_nothing_even_negated() -> None:
    assert Glob("*").matches("a" * MAX_PATH)
    assert not Glob("*").matches("a" * (MAX_PATH + 1))
    assert not Glob("!x").matches("a" * (MAX_PATH + 1))
    assert Glob("!" * (MAX_GLOB - 1) + "x").matches("a")
    assert not Glob("!" * (MAX_GLOB + 1) + "x").matches("a")


def test_groups_nested_deeper_than_the_limit_are_literals() -> None:
    assert Glob("{" * 64 + "a" + "}" * 64).matches("a")
    assert not Glob("{" * 65 + "a" + "}" * 65).matches("a")
    assert Glob("{" * 65 + "a" + "}" * 65).matches("{a}")


@given(st.text(st.sampled_from("ab/*?{}[],()|!@+^-\\.1é\ud800"), max_size=30), st.text(max_size=20))
def test_any_text_is_a_glob(glob: str, path: str) -> None:
    assert Glob(glob).matches(path) in (True, False)


@given(st.text(st.characters(exclude_characters="*?[]{}()!@+\\"), max_size=30))
def test_a_glob_without_special_characters_matches_itself_alone(path: str) -> None:
    assert Glob(path).matches(path)
    assert not Glob(path).matches(path + "a")
