"""Repeats the recorded searches of JavaScript engines, and compares the results.

The tests repeat a part of the generated patterns. `python -m tests.esregex.match.recorded_matches` repeats all with
both matchers, and prints the differences; it takes half a minute.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

from tests.esregex.regex_vectors import FILES, RecordedPattern, recorded_patterns
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.match.compile import compile_pattern
from ttsr_ls.esregex.match.matcher import Matcher
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import Pattern


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of repeating recorded searches."""

    searches: int
    given_up: int
    wrong: tuple[str, ...]


def compare(make: Callable[[Pattern], Matcher], patterns: tuple[RecordedPattern, ...]) -> Comparison:
    searches, given_up, wrong = 0, 0, []
    for pattern in patterns:
        matches = pattern.matches
        if matches is None:
            continue
        matcher = make(parse(pattern.source, pattern.flags))
        for expected in matches:
            searches += 1
            try:
                found_span = matcher.search(expected.subject)
            except MatchLimitExceeded:
                given_up += 1
                continue
            span = None if found_span is None else (found_span.start, found_span.end)
            if span != expected.match:
                where = f"{pattern.source!r} {pattern.flags} on {expected.subject!r}"
                wrong.append(f"{where}: {span}, recorded {expected.match}")
    return Comparison(searches, given_up, tuple(wrong))


def backtracking(pattern: Pattern) -> Matcher:
    """Returns the matcher for patterns that have no exact translation, with a limit for tests."""
    return BacktrackMatcher(pattern, step_limit=100_000)


def main() -> int:
    """Compares all recorded searches. Returns status 1 if a result differs."""
    differs = False
    for file in FILES:
        for make in (compile_pattern, backtracking):
            comparison = compare(make, recorded_patterns(file))
            differs = differs or bool(comparison.wrong)
            print(f"{file}, {make.__name__}: {comparison.searches} searches, {comparison.given_up} given up")
            print(f"{len(comparison.wrong)} wrong", *comparison.wrong[:20], sep="\n", flush=True)
    return int(differs)


if __name__ == "__main__":
    sys.exit(main())
