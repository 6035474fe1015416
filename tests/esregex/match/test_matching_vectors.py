"""Both matchers find the recorded matches of JavaScript engines."""

import pytest

from tests.esregex.match.recorded_matches import backtracking, compare
from tests.esregex.regex_vectors import FILES, recorded_patterns
from ttsr_ls.esregex.match.compile import compile_pattern


@pytest.mark.parametrize(("file", "every"), [*zip(FILES, (1, 4), strict=True)])
def test_the_chosen_matcher_finds_what_javascript_finds(file: str, every: int) -> None:
    comparison = compare(compile_pattern, recorded_patterns(file)[::every])
    assert comparison.wrong == ()
    assert comparison.searches > 50_000
    assert comparison.given_up < comparison.searches / 1000


@pytest.mark.parametrize(("file", "every"), [*zip(FILES, (4, 16), strict=True)])
def test_the_backtracking_matcher_finds_what_javascript_finds(file: str, every: int) -> None:
    comparison = compare(backtracking, recorded_patterns(file)[1::every])
    assert comparison.wrong == ()
    assert comparison.searches > 10_000
    assert comparison.given_up < comparison.searches / 100
