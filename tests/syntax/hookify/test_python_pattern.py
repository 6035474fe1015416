"""Python patterns that are translated to ECMAScript match the same texts as with Python's `re`."""

from __future__ import annotations

import random
import re
import warnings

import pytest

from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.parse.flags import Flags
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.syntax.hookify.python_pattern import PythonPatternError, split_flags, to_ecmascript

# Syntax with different meanings in Python and ECMAScript, or of only one of them, among common syntax.
PARTS = (
    "a", "b", "7", "_", "-", "/", r"\d", r"\w", r"\b", r"\A", r"\Z", r"\a", r"\n", r"\0", r"\07", r"\101", r"\x41",
    r"\u0041", r"\U00000041", r"\U0001F300", r"\N{BULLET}", r"\1", "(", "(?:", "(?P<n>", "(?P=n)", "(?=", "(?!",
    "(?<=a", "(?<!a", ")", ")", "[", "[^", "]", "[]a]", "[^]a]", "[a-z]", "[a\\-z]", "[\\b]", "[[a]", "[😀-😎]",
    "[🔴🟢]",
    "[^🔴a]", r"[^\U0001F300-\U0001FAFF]", r"[0-\U0001F600]", r"[\N{BULLET}x]", "😀", "*", "+", "?", "*?", "++", "*+",
    "{2}", "{,2}", "{,}", "{a}", "|", "^", "$", "(?i)", "(?m)", "(?s)", "(?x)", "(?a)", "(?i:", "(?>", "(?#c)", r"\*+",
    "[*+]+", r"\e", r"\z", "(?(1)a|b)", "[$.]",
)  # fmt: skip
TEXTS = (
    "a", "b", "7", "_", "-", "/", "\n", "A", "Z", "\x07", "\0", "U", "N", "x", "0", "e", "z", "*", "+", "{", ",", "$",
    ".", "]", "•", "😀", "😎", "🔴", "\U0001f300", "\U0001fa00",
)  # fmt: skip
SEED = 20261122
# Python counts characters, ECMAScript units: these parts match half of a character.
HALF = re.compile(r"\.|\[\^\]?a|\\[DSW]|\[\^|\[\[")


def in_units(text: str) -> str:
    return "".join(map(chr, memoryview(text.encode("utf-16-le")).cast("H")))


def compiled(pattern: str) -> re.Pattern[str] | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return re.compile(pattern, re.IGNORECASE)
        except (re.error, OverflowError):
            return None


def translated(pattern: str) -> BacktrackMatcher | None:
    try:
        source = to_ecmascript(pattern)
    except PythonPatternError:
        return None
    letters, _ = split_flags(pattern)
    flags = Flags(ignore_case=True, multiline="m" in letters, dot_all="s" in letters)
    return BacktrackMatcher(parse(source, flags), 100_000)


def test_translated_patterns_match_as_in_python() -> None:
    chance = random.Random(SEED)
    compared = 0
    for _ in range(6_000):
        pattern = "".join(chance.choice(PARTS) for _ in range(chance.randint(1, 4)))
        judge, matcher = compiled(pattern), translated(pattern)
        if judge is None or matcher is None:
            continue
        compared += 1
        for _ in range(10):
            text = "".join(chance.choice(TEXTS) for _ in range(chance.randint(0, 4)))
            if HALF.search(pattern) and not text.isascii() and max(text) > "\uffff":
                continue
            expected = judge.search(text) is not None
            assert matcher.test(in_units(text)) is expected, (pattern, to_ecmascript(pattern), text)
    assert compared > 1_500


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        (r"[\U0001F300-\U0001FAFF]", "\U0001f300", True),
        (r"[\U0001F300-\U0001FAFF]", "a:b;c=d 0 U", False),
        (r"[^\U0001F300-\U0001FAFF]", "\U0001f300", False),
        (r"[^\U0001F300-\U0001FAFF]", "\U0001f600\U0001f2ff", True),
        (r"[^a\U0001F300]", "a\U0001f300a", False),
        ("[🔴🟢]", "😀", False),
        ("😀*b", "b", True),
        (r"\N{BULLET}", "•", True),
        ("a{,}b", "b", True),
        (r"\*+x", "**x", True),
    ],
)
def test_astral_characters_match_as_in_python(pattern: str, text: str, expected: bool) -> None:
    judge, matcher = compiled(pattern), translated(pattern)
    assert judge is not None
    assert matcher is not None
    assert (judge.search(text) is not None) is expected
    assert matcher.test(in_units(text)) is expected


@pytest.mark.parametrize("pattern", [r"\N{NO SUCH CHARACTER}", r"[\N{NO SUCH CHARACTER}a]", "a*+", "a{2}+", "(?>a)"])
def test_patterns_without_an_equivalent_are_rejected(pattern: str) -> None:
    assert translated(pattern) is None
