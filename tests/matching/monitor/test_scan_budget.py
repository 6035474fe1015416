"""The cost of all searches of a scan is limited by the size of its files, for any rules."""

from __future__ import annotations

import itertools
import time

import pytest

from tests.processor_time import processor_time_below
from tests.rules.rule_files import rule_of
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.matcher import Matcher
from ttsr_ls.esregex.match.regex_matcher import RegexMatcher
from ttsr_ls.esregex.program.budget import StepBudget
from ttsr_ls.matching.ast.search import NoAstSearch
from ttsr_ls.matching.monitor import file_scan
from ttsr_ls.matching.monitor.file_scan import FileScan
from ttsr_ls.matching.monitor.match_spans import MAX_MATCHES, matches_from
from ttsr_ls.matching.monitor.scan_budget import ScanBudget
from ttsr_ls.matching.streams.automaton_matcher import AutomatonMatcher
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.rules.rule import Rule
from ttsr_ls.text import Span

FILES = 40
TEXT = "a b " * 1_000
SHARE = 20 + len(TEXT) // 64
"""The number of matches of one condition in `TEXT` that are always reported."""


class SearchClock:
    """A clock by which each search takes the same time, in seconds. Counts the searches."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._calls = 0

    @property
    def searches(self) -> int:
        return self._calls // 2

    def __call__(self) -> float:
        # The clock is read before and after each search.
        self._calls += 1
        return self._calls // 2 * self._seconds


def matcher_of(pattern: str) -> Matcher:
    condition = compile_condition(pattern)
    assert not isinstance(condition, Exception)
    matcher = condition.matcher
    assert isinstance(matcher, RegexMatcher)
    return matcher


def scanned(clock: SearchClock, *rules: Rule) -> list[list[bool]]:
    """For each file, whether the matches of each rule that fires are complete; checks that some are reported."""
    scan = FileScan(rules, NoAstSearch(), clock)
    results = [scan.scan(range(len(rules)), TEXT, ["a.ts"]) for _ in range(FILES)]
    assert all(match.locations for result in results for match in result.matches)
    return [[match.is_complete for match in result.matches] for result in results]


def test_a_search_is_charged_for_its_processor_time() -> None:
    budget = StepBudget(10_000, clock=SearchClock(0.001))
    matcher = matcher_of(r"\w").with_budget(budget)
    for left in (8_000, 6_000, 4_000, 2_000, 0):
        assert matcher.search("a") == Span(0, 1)
        assert budget.left == left
    with pytest.raises(MatchLimitExceeded):
        matcher.search("a")


def test_a_search_is_charged_at_least_for_the_length_of_its_text() -> None:
    budget = StepBudget(10_000, clock=SearchClock(0.0))
    assert matcher_of(r"\d").with_budget(budget).search("a" * 32_000) is None
    assert budget.left == 10_000 - 1_010


def test_a_failing_search_for_further_matches_is_charged_for_its_text_once() -> None:
    text = "ab" * 50 + "x" * 320_000
    budget = StepBudget(20_000, clock=SearchClock(0.0))
    places = matches_from(Span(0, 1), matcher_of("a(?=b)").with_budget(budget), text, MAX_MATCHES)
    assert (len(places.spans), places.is_complete) == (50, True)
    assert 20_000 - budget.left <= 10_000 + 50 * 10 + 20


def test_slow_searches_for_further_matches_share_one_limit_for_all_files() -> None:
    clock = SearchClock(0.0005)
    complete = scanned(clock, rule_of(r"\w"))
    # A thousand steps each: 250 from the reserve, and the share of each file.
    assert FILES <= clock.searches <= 300 + 6 * FILES
    assert complete == [[False]] * FILES, "each file says so"


def test_further_matches_have_a_reserve_that_grows_with_the_text_beyond_a_small_scan() -> None:
    searches = []
    for length in (512 * 1024, 512 * 1024 + 1, 5 * 1024 * 1024):
        clock = SearchClock(0.0005)
        scan = FileScan([rule_of(r"\w")], NoAstSearch(), clock)
        scan.set_total_length(length)
        for _ in range(FILES):
            assert scan.scan([0], TEXT, ["a.ts"]).matches
        searches.append(clock.searches)
    small, least_large, large = searches
    assert abs(least_large - small) <= FILES, "one unit more makes no difference"
    assert small < 300 + 6 * FILES < large


class Refusing:
    """An automaton that takes too long on every text."""

    length = 0

    def __init__(self, *_: object) -> None:
        pass

    def open(self) -> Refusing:
        return self

    def append(self, _: str) -> None:
        raise MatchLimitExceeded

    def set_limits(self, _: object) -> None:
        pass


@pytest.mark.parametrize(("length", "is_large"), [(100_000, False), (1_000_000, True)])
def test_a_large_scan_evaluates_costly_rules_on_all_files(
    length: int, is_large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Published rules count the lines of functions with a backreference, which no automaton finds quickly."""
    monkeypatch.setattr(file_scan, "AutomatonMatcher", Refusing)
    body = "    let x = compute();\n"
    text = f"fn a() {{\n{body * 45}}}\n\n" * 9 + f"fn b() {{\n{body * 60}}}\n"
    too_long = (
        r"(?:^|\n)(?<indent>[\t ]*)(?:fn\s+\w+[^\n]*|[^\n]*=>\s*)\{\n"
        rf"(?:\k<indent>[\t ][^\n]*\n|[ \t]*\n){{{lines},}}?\k<indent>\}}" for lines in range(50, 52)
    )  # fmt: skip
    rules = [rule_of(condition, name=f"r{number}") for number, condition in enumerate(too_long)]
    scan = FileScan(rules, NoAstSearch(), SearchClock(0.0))
    scan.set_total_length(length)
    fired = [len(scan.scan(range(len(rules)), text, ["a.rs"]).matches) for _ in range(20)]
    assert (fired == [len(rules)] * 20) is is_large
    assert (scan.disabled_conditions == ()) is is_large, "those that were given up are named"


def test_the_steps_of_a_large_scan_are_limited_by_its_length() -> None:
    clock = SearchClock(0.05)
    scan = FileScan([rule_of(*(rf"[ab]\d{{{n}}}" for n in range(1, 101)))], NoAstSearch(), clock)
    scan.set_total_length(1_000_000)
    for _ in range(FILES):
        scan.scan([0], TEXT, ["a.ts"])
    steps = clock.searches * 0.05 / 5e-7
    assert steps <= 250_000 + FILES * (32 + 32) * len(TEXT)
    assert len(scan.disabled_conditions) >= 75, "those that were not tried are named"


def test_a_file_never_raises_the_reserve_above_its_maximum() -> None:
    budget = ScanBudget(SearchClock(0.0))
    budget.set_total_length(1_000_000_000)
    budget.begin_file(1_000_000_000)
    assert budget.for_first_match(0).left == 1_000_000 + 1_000


def test_slow_searches_of_many_conditions_share_one_limit_for_all_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_scan, "AutomatonMatcher", None)  # No search exceeds its limit, so no automaton is built.
    clock = SearchClock(0.005)
    conditions = FileScan([rule_of(*(rf"[ab]\d{{{n}}}" for n in range(1, 101)))], NoAstSearch(), clock)
    for _ in range(FILES):
        assert conditions.scan([0], TEXT, ["a.ts"]).matches == ()
    assert clock.searches <= 25 + 3 * FILES
    assert len(conditions.disabled_conditions) >= 75, "those that were not tried are named"


def test_the_number_of_matches_is_limited_over_all_files() -> None:
    clock = SearchClock(0.0)
    complete = scanned(clock, rule_of(r"\w"))
    assert complete[0] == [True]
    assert complete[-1] == [False]
    assert clock.searches <= MAX_MATCHES + (SHARE + 2) * FILES


def test_few_matches_of_many_rules_in_many_files_are_all_found() -> None:
    rules = [rule_of(rf"{letter}\b", name=f"r{number}") for number, letter in enumerate("ab" * 40)]
    text = TEXT[:100] + "x" * 4_000
    scan = FileScan(rules, NoAstSearch(), SearchClock(0.00001))
    for _ in range(FILES):
        result = scan.scan(range(len(rules)), text, ["a.ts"])
        assert [(len(match.locations), match.is_complete) for match in result.matches] == [(25, True)] * len(rules)


def test_matching_a_text_by_automaton_stops_at_its_time_limit() -> None:
    stream = AutomatonMatcher([compile_condition("ab")]).open()
    slow = ScanBudget(SearchClock(0.1))
    with pytest.raises(MatchLimitExceeded):
        slow.append(stream, "c" * 1_000_000)
    assert 0 < stream.length < 100_000
    fast = AutomatonMatcher([compile_condition("ab")]).open()
    ScanBudget(SearchClock(0.0)).append(fast, "c" * 100_000 + "ab")
    assert fast.match_at_end(0) is not None


def test_a_condition_whose_automaton_builds_a_state_per_unit_is_disabled() -> None:
    scan = FileScan([rule_of(".{0,99}a" * 800)], NoAstSearch(), time.process_time)
    with processor_time_below(3):
        for _ in range(FILES):
            scan.scan([0], ("a" * 500 + "\n") * 100, ["a.ts"])
    assert [condition.condition for condition in scan.disabled_conditions] == [0]


def test_slow_matching_conditions_share_one_limit_in_one_long_text() -> None:
    ticks = itertools.count()
    # Each two readings are one search apart, even if the search was aborted.
    scan = FileScan([rule_of(*(f"a{{{n}}}" for n in range(1, 201)))], NoAstSearch(), lambda: next(ticks) * 0.005)
    (match,) = scan.scan([0], "a" * 180_000, ["a.ts"]).matches
    # Each takes 10,000 steps: of the reserve, of the first condition's share, and of the rule's.
    assert next(ticks) // 2 <= 25 + 12 + 38 + 15
    assert not match.is_complete
    assert len(match.conditions) > 5, "one condition leaves steps to others"
    assert len(scan.disabled_conditions) >= 150, "those that were not tried are named"
