"""Verdicts about backtracking agree with tables of patterns, and with runs of the matcher."""

from __future__ import annotations

import pytest

from tests.esregex.analysis.redos_patterns import BAD, BAD_IN_LOOKS_AND_REFERENCES, FALSE_ALARMS, GOOD, MISSED, Bad
from ttsr_ls.esregex.analysis.backtracking.ambiguity import AmbiguityGrowth
from ttsr_ls.esregex.analysis.backtracking.backtracking import (
    HarmlessPattern,
    SlowPattern,
    UndecidedPattern,
    judge_backtracking,
)
from ttsr_ls.esregex.analysis.backtracking.growth import STEP_LIMIT
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import Pattern
from ttsr_ls.rules.condition import compile_condition

ALL_BAD = (*BAD, *BAD_IN_LOOKS_AND_REFERENCES)


def pattern_of(text: str) -> Pattern:
    return compile_condition(text).pattern


def steps(pattern: Pattern, text: str, position: int, limit: int) -> int:
    """Returns how many steps a match attempt takes, at most `limit`."""
    try:
        return BacktrackMatcher(pattern, limit).count_steps(text, position)
    except MatchLimitExceeded:
        return limit


@pytest.mark.parametrize("bad", ALL_BAD, ids=lambda bad: bad.pattern)
def test_attack_texts_of_the_tables_are_slow(bad: Bad) -> None:
    """The effort of the whole search grows faster than the text, as the table says."""

    limit = 200_000 if bad.grows == "exponential" else 1_000_000
    matcher = BacktrackMatcher(pattern_of(bad.pattern), limit)

    def effort(rounds: int) -> int:
        text = bad.prefix + bad.pump * rounds + bad.suffix
        total = 0
        for position in range(len(text) + 1):
            try:
                total += matcher.count_steps(text, position)
            except MatchLimitExceeded:
                return limit
            if total >= limit:
                return limit
        return total

    if bad.grows == "exponential":
        assert any(effort(rounds) == limit for rounds in (12, 24, 32))
    else:
        assert effort(48) > 2.8 * effort(24)


@pytest.mark.parametrize("bad", ALL_BAD, ids=lambda bad: bad.pattern)
def test_slow_patterns_are_reported(bad: Bad) -> None:
    verdict = judge_backtracking(pattern_of(bad.pattern))
    if bad.pattern in MISSED:
        assert isinstance(verdict, HarmlessPattern)
        return
    assert isinstance(verdict, SlowPattern)
    assert verdict.shape.value == bad.grows


def test_sizes_of_the_tables() -> None:
    assert len(BAD) == len({bad.pattern for bad in BAD}) == 31
    assert len(BAD_IN_LOOKS_AND_REFERENCES) == 4
    assert len(GOOD) == len(set(GOOD)) == 30
    assert len(MISSED) <= 1
    assert len(FALSE_ALARMS) <= 1


@pytest.mark.parametrize("pattern", GOOD)
def test_harmless_patterns_are_not_reported(pattern: str) -> None:
    verdict = judge_backtracking(pattern_of(pattern))
    if pattern in FALSE_ALARMS:
        assert isinstance(verdict, SlowPattern)
        return
    assert isinstance(verdict, HarmlessPattern)


@pytest.mark.parametrize("bad", ALL_BAD, ids=lambda bad: bad.pattern)
def test_the_attack_of_a_verdict_is_slow(bad: Bad) -> None:
    pattern = pattern_of(bad.pattern)
    verdict = judge_backtracking(pattern)
    if not isinstance(verdict, SlowPattern):
        return
    attack, rounds = verdict.attack, verdict.rounds
    assert steps(pattern, attack.text(rounds), attack.match_start(rounds), STEP_LIMIT) == verdict.steps
    if verdict.shape is AmbiguityGrowth.EXPONENTIAL:
        assert verdict.steps == STEP_LIMIT
        assert len(attack.text(rounds)) < 70
    else:
        few, many = (steps(pattern, attack.text(n), attack.match_start(n), 10**6) for n in (rounds, 2 * rounds))
        assert many > 3 * few


@pytest.mark.parametrize(
    ("pattern", "hotspot"),
    [
        (r"foo(a+)+bar", "(a+)+"),
        (r"foo (?:x|(?:\w+\s?)*): bar", r"(?:\w+\s?)*"),
        (r"(?:ab?b?)*c", "(?:ab?b?)*"),
        (r"=\s*(?:async)?\s*\(", r"\s*(?:async)?\s*"),
        (r"^((?:\d+)?\.?\d+)s", r"(?:\d+)?\.?\d+"),
        (r"x(?=[^;]*(?:a|aa)*!)y", "(?:a|aa)*"),
    ],
)
def test_the_hotspot_is_the_ambiguous_part(pattern: str, hotspot: str) -> None:
    verdict = judge_backtracking(parse(pattern))
    assert isinstance(verdict, SlowPattern)
    assert pattern[verdict.hotspot.start : verdict.hotspot.end] == hotspot


@pytest.mark.parametrize(
    "pattern",
    [
        "(?:a|b)" * 400 + "*" + "(?:a*b*)*" * 100,
        "(" * 5000 + "a*" + ")*" * 5000 + "b",
        "(?:(?:(?:(?:a{9}){9}){9}){9}){9}" * 3 + "(a*)*b",
        "(?=" * 3000 + "(a*)*b" + ")" * 3000,
        "".join(f"(?:[\\u{n:04x}-\\u{n + 3:04x}]*x?)*" for n in range(0x100, 0x180)),
    ],
)
def test_large_patterns_have_a_verdict_within_the_bounds(pattern: str) -> None:
    assert isinstance(judge_backtracking(parse(pattern)), UndecidedPattern | SlowPattern)


@pytest.mark.parametrize(
    "pattern", [".[^a]*[^a]*.*(?<!b).*(a|ab)* a+[a-z]+é(?=a*b)", r"\w+(?!.*a)\x{41}(?<n>a)(?:a|b?)*b*(?!.*a)^"]
)
def test_patterns_that_are_slow_in_the_first_round_have_a_verdict(pattern: str) -> None:
    assert judge_backtracking(parse(pattern)) is not None
