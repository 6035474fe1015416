"""Every recorded match of the JavaScript engines, by the matcher that is chosen and by the backtracking one."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.esregex.regex_vectors import FILES, RecordedPattern, recorded_patterns
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.match.compile import compile_pattern
from ttsr_ls.esregex.match.matcher import Matcher
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import Pattern

PARTS = 8
"""How many tests a file is cut into, so that they can run side by side."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of searching as the engines did."""

    searches: int
    given_up: int
    wrong: tuple[str, ...]


def compare(make: Callable[[Pattern], Matcher], patterns: tuple[RecordedPattern, ...]) -> Comparison:
    searches, given_up, wrong = 0, 0, []
    for pattern in patterns:
        if pattern.matches is None:
            continue
        matcher = make(parse(pattern.source, pattern.flags))
        for expected in pattern.matches:
            searches += 1
            try:
                found = matcher.search(expected.subject)
            except MatchLimitExceeded:
                given_up += 1
                continue
            span = None if found is None else (found.start, found.end)
            if span != expected.match:
                where = f"{pattern.source!r} {pattern.flags} on {expected.subject!r}"
                wrong.append(f"{where}: {span}, recorded {expected.match}")
    return Comparison(searches, given_up, tuple(wrong))


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("file", FILES)
def test_the_chosen_matcher_finds_what_javascript_finds(file: str, part: int) -> None:
    comparison = compare(compile_pattern, recorded_patterns(file)[part::PARTS])
    assert comparison.wrong == ()
    assert comparison.searches > 20_000
    assert comparison.given_up < comparison.searches / 1000


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("file", FILES)
def test_the_backtracking_matcher_finds_what_javascript_finds(file: str, part: int) -> None:
    def make(pattern: Pattern) -> Matcher:
        return BacktrackMatcher(pattern, step_limit=100_000)

    # A quarter of the patterns: they agree all, but that takes a minute.
    comparison = compare(make, recorded_patterns(file)[part :: 4 * PARTS])
    assert comparison.wrong == ()
    assert comparison.searches > 5_000
    assert comparison.given_up < comparison.searches / 100
