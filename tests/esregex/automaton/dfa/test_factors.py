"""Factors, one of which every match of a pattern contains, and how far before them a match may start."""

import pytest

from tests.processor_time import processor_time_below
from ttsr_ls.esregex.automaton.dfa.alphabet import Alphabet
from ttsr_ls.esregex.automaton.dfa.factors import required_factors
from ttsr_ls.esregex.automaton.dfa.lookback import lookback, lookback_steps
from ttsr_ls.esregex.automaton.nfa.limits import Limits
from ttsr_ls.esregex.automaton.prefilters.factor_search import FactorSearch
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.unit_set import UnitSet
from ttsr_ls.rules.condition import compile_condition


def texts_of(source: str) -> list[str] | None:
    factors = required_factors(parse(source), Limits().factor_bits)
    return None if factors is None else sorted(text for factor in factors.factors for text in factor.texts)


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("abyssale", ["abyss"]),
        ("(?i:Adafruit).{0,40}[0-9a-f]{32}", ["adafr"]),
        (r"import\s+[^;\n]*\bfrom\s+'axios'", ["xios'"]),
        (r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b", ["akia", "asia"]),
        (r"[a-z]+zqx|y{2}zz", ["yyzz", "zqx"]),
        (r"(?:[ab]z){2,}q", ["azaz", "azbz", "bzaz", "bzbz"]),
        (r"\w+(?=\s*=>)", ["=>"]),
        (r"(?:zqv)+", ["zqv"]),
        (r"zq?@", ["@"]),
        ("@", ["@"]),
        (r"(\w)zq\1", ["zq"]),
    ],
)
def test_required_factors_are_few_rare_texts(source: str, texts: list[str]) -> None:
    assert texts_of(source) == texts


@pytest.mark.parametrize(
    "source", ["e", "[a-z]+", "zqx|.", "(?:zqx)?", "(?!zqx).", r"[^]*zqx|", "", "[^]+?zqx", "(?<=zq)[a-z]*"]
)
def test_patterns_without_a_required_factor(source: str) -> None:
    assert texts_of(source) is None


@pytest.mark.parametrize(
    ("source", "text", "start"),
    [
        ("ab?[cd]{2,5}zqx", "...abcdzqx", 0),
        (r"\w+=zqx", ";foo=zqx", 1),
        (r"'[^'\n]*zqx", ".\n'  zqx", 2),
        (r"(?<=a.)zqx", "0123456zqx", 5),
        (r"(?<!a.*)zqx", "a\n12zqx", 2),
        ("zqx", "12zqx", 2),
    ],
)
def test_lookbacks_bound_the_start_of_a_match(source: str, text: str, start: int) -> None:
    pattern = parse(source)
    factors = required_factors(pattern, Limits().factor_bits)
    assert factors is not None
    steps = lookback_steps(pattern, factors.factors)
    assert steps is not None
    units = [chr(unit) for unit in range(0x80)]
    assert [lookback(step, units).start(text.encode(), len(text)) for step in steps] == [start]


@pytest.mark.parametrize(
    ("source", "before", "behind"),
    [
        ("zqx", None, None),
        (r"zqx\b", None, " .é"),
        (r"\bzqx=", " .é", None),
        (r"%(?:row)?zqx", "%w", None),
        (r"#\s*zqx\s*(?:=|\+)", "# \t\n", " \n=+"),
        (r"(?m)^a*zqx[0-9]*$", "\na", "0123456789\n"),
        (r"a*zqx(?=b)", None, None),
        (r"(.)\1zqx\1", None, None),
    ],
)
def test_adjacent_units_of_a_factor(source: str, before: str | None, behind: str | None) -> None:
    factors = required_factors(compile_condition(source).pattern, Limits().factor_bits)
    assert factors is not None
    (factor,) = factors.factors
    for units, sample in ((factor.previous, before), (factor.following, behind)):
        if sample is None:
            assert units is None
        else:
            assert units is not None
            assert {unit for unit in f"{sample}#%=+wabx0 \n\t;." if ord(unit) in units} >= set(sample)
            assert "x" in sample or ord("x") not in units


@pytest.mark.parametrize("source", [".{500}zqx", "(?<=[^]*a)zqx"])
def test_a_factor_far_from_the_start_of_a_match_has_no_lookback(source: str) -> None:
    pattern = parse(source)
    factors = required_factors(pattern, Limits().factor_bits)
    assert factors is None or lookback_steps(pattern, factors.factors) is None


def search(factors: dict[str, int], *deltas: str) -> list[list[tuple[int, int]]]:
    alphabet = Alphabet([UnitSet.single(ord(unit)) for text in factors for unit in text])
    made = FactorSearch(factors, [[] for _ in factors], alphabet)
    table, found = made.root, []
    for delta in deltas:
        table, reports = made.search(table, alphabet.encode(delta), ())
        found.append(sorted(reports))
    return found


def test_factor_search_finds_factors_across_deltas_in_any_case() -> None:
    factors = {"abc": 0, "bc": 1, "c": 2, "bd": 3}
    assert search(factors, "xA", "b", "cabd", "") == [[], [], [(1, 0), (1, 1), (1, 2), (4, 3)], []]


def test_factor_search_finds_factors_beyond_ascii() -> None:
    assert search({"é文": 0, "文x": 1}, "é", "文X文", "è文") == [[], [(1, 0), (2, 1)], []]


def test_factor_search_finds_overlapping_factors() -> None:
    assert search({"aba": 0, "aa": 1}, "ababaa") == [[(3, 0), (5, 0), (6, 1)]]


@pytest.mark.parametrize(
    "source",
    [
        "a" * 50_000,
        "(?:" * 5_000 + "abc" + ")" * 5_000,
        "(?:" * 5_000 + ".abc" + ")*" * 5_000 + "abc",
        "(?:" * 5_000 + "abc" + ")+" * 5_000,
        "[ab]" * 5_000,
        ".*a" * 10_000,
        "|".join(f"word{number}" for number in range(3_000)),
        "(?:a|b|c|d|e)" * 2_000,
    ],
)
def test_factors_of_long_and_deep_patterns_take_bounded_time(source: str) -> None:
    pattern = parse(source)
    with processor_time_below(1):
        factors = required_factors(pattern, Limits().factor_bits)
        if factors is not None:
            lookback_steps(pattern, factors.factors)


def test_a_factor_after_very_many_loops_is_not_required() -> None:
    assert required_factors(parse(("(?:" + "[^x]*" * 25) * 8 + "abcdef" + ")+" * 8), Limits().factor_bits) is None
