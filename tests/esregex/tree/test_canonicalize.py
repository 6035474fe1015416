import subprocess
import sys

import pytest

from ttsr_ls.esregex.tree.canonicalize import canonical_unit, close_over_case
from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT, NO_UNIT, UnitSet


def closed(chars: str) -> str:
    units = close_over_case(UnitSet.of((ord(char), ord(char)) for char in chars))
    return "".join(chr(unit) for low, high in units.ranges for unit in range(low, high + 1))


@pytest.mark.parametrize(
    ("chars", "expected"),
    [
        ("a", "Aa"),
        ("Z", "Zz"),
        ("1_", "1_"),
        ("é", "Éé"),
        ("ς", "Σςσ"),
        ("ǅ", "ǄǅǆǄ"[:3]),
        ("µ", "µΜμ"),
        ("ÿ", "ÿŸ"),
    ],
)
def test_characters_with_the_same_upper_case_are_equal(chars: str, expected: str) -> None:
    assert closed(chars) == expected


@pytest.mark.parametrize("char", ["ſ", "ı", "\u212a", "\u212b"])
def test_characters_beyond_ascii_do_not_equal_ascii_letters(char: str) -> None:
    assert closed(char) == char


@pytest.mark.parametrize("char", ["ß", "ẞ", "İ", "ᾳ", "ᾼ", "ΐ", "ﬅ"])
def test_upper_cases_of_several_units_are_ignored(char: str) -> None:
    assert closed(char) == char


NEWER_PAIRS = (
    *("ƛ\ua7dc", "ɤ\ua7cb", "\u1c89\u1c8a", "\ua7cc\ua7cd", "\ua7ce\ua7cf", "\ua7d2\ua7d3", "\ua7d4\ua7d5"),
    "\ua7da\ua7db",
)
"""The letters that JavaScriptCore compares as an older Unicode has it (docs/regular-expressions.md)."""


@pytest.mark.parametrize("pair", NEWER_PAIRS)
def test_case_pairs_newer_than_the_oldest_python_are_known(pair: str) -> None:
    assert closed(pair[0]) == pair
    assert closed(pair[1]) == pair


def test_close_over_case_agrees_with_canonical_unit() -> None:
    every = [canonical_unit(unit) for unit in range(0x10000)]
    for units in (UnitSet(((0x40, 0x60),)), UnitSet(((0x61, 0x62), (0xB5, 0x180))), UnitSet(((0x370, 0x2120),))):
        canonical = {every[unit] for low, high in units.ranges for unit in range(low, high + 1)}
        expected = UnitSet.of((unit, unit) for unit in range(0x10000) if every[unit] in canonical)
        assert close_over_case(units) == expected


def test_the_empty_and_the_full_set_are_closed_over_case() -> None:
    assert close_over_case(NO_UNIT) == NO_UNIT
    assert close_over_case(EVERY_UNIT) == EVERY_UNIT


def test_ascii_patterns_do_not_build_the_case_table() -> None:
    script = (
        "from ttsr_ls.esregex.tree import canonicalize\n"
        "from ttsr_ls.esregex.parse import flags\n"
        "from ttsr_ls.esregex.parse import parser\n"
        "parser.parse('[a-z_]+ Foo', flags.Flags(ignore_case=True))\n"
        "print(canonicalize._case_table.cache_info().currsize)\n"
    )
    printed = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    assert printed.stdout == "0\n"
