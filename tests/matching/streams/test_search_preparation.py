"""The preparation of searches has a limit for each delta, however large the conditions are."""

from __future__ import annotations

import time
from functools import cache

import pytest

from benchmarks.real_conditions import all_conditions, real_conditions
from benchmarks.real_texts import real_text
from benchmarks.rule_sets import rule_set
from tests.processor_time import is_below
from tests.rules.rule_files import TEXT
from ttsr_ls.esregex.finality.finality import final_form_incrementally
from ttsr_ls.esregex.tree.incremental import PORTION
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.matching.streams.condition_searches import ConditionSearches, Preparation
from ttsr_ls.matching.streams.matcher_cache import MatcherCache, SharedMatching
from ttsr_ls.matching.streams.resumable_search import ResumableSearch
from ttsr_ls.matching.streams.search_limits import LIVE, OFFLINE, SearchLimits
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.stream import Delta, Trigger

_PORTION = 4 * PORTION
"""The most steps of a portion of work."""
_LONGEST_PORTION = 5e-3
"""Seconds of processor time: the least of several runs."""

Place = tuple[str, int, int, int]


class Count:
    """Counts the steps that are taken to prepare searches and to search."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.prepared = self.searched = 0
        prepare, search = Preparation.advance, ResumableSearch.advance

        def counted_preparation(preparation: Preparation, steps: int) -> int:
            done_count = prepare(preparation, steps)
            self.prepared += done_count
            return done_count

        def counted_search(resumable: ResumableSearch[object], steps: int) -> object:
            before = resumable.spent
            try:
                return search(resumable, steps)
            finally:
                self.searched += resumable.spent - before

        patch.setattr(Preparation, "advance", counted_preparation)
        patch.setattr(ResumableSearch, "advance", counted_search)

    def take(self) -> tuple[int, int]:
        taken = self.prepared, self.searched
        self.prepared = self.searched = 0
        return taken


@cache
def rules_of(count: int) -> RuleSet:
    """A rule for each of so many real conditions."""
    return rule_set(real_conditions(count))


def streamed(
    text: str, limits: SearchLimits, count: Count, rules: int = 1000, matchers: MatcherCache | None = None
) -> tuple[list[Place], list[tuple[int, int]]]:
    """The triggers of real conditions, by default 1,000, and the steps of each delta."""
    monitor = Monitor(rules_of(rules), limits=limits, matchers=matchers)
    count.take()
    steps: list[tuple[int, int]] = []
    triggers: list[Trigger] = []
    for position in range(0, len(text), 16):
        triggers += monitor.feed(Delta(TEXT, text[position : position + 16]))
        steps.append(count.take())
    # Deferred searches finish with the next deltas.
    while monitor.deferred_rules:
        triggers += monitor.feed(Delta(TEXT, ""))
        steps.append(count.take())
    return [(trigger.rule.name, trigger.start, trigger.end, trigger.offset) for trigger in triggers], steps


@pytest.mark.parametrize("kind", ["python", "minified"])
def test_each_delta_stays_within_its_steps_when_hundreds_of_real_rules_fire(
    monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    count, text = Count(monkeypatch), real_text(kind)[:2_500]
    places, steps = streamed(text, LIVE, count)
    assert LIVE.preparation is not None
    assert max(prepared for prepared, _ in steps) <= LIVE.preparation + _PORTION
    # A search may exceed its steps by one instruction.
    assert max(prepared + searched for prepared, searched in steps) <= LIVE.delta + 2 * _PORTION
    expected, unbounded = streamed(text, OFFLINE, count)
    assert len(expected) > 100
    assert sorted(places) == sorted(expected)
    # Each of these deltas would have taken milliseconds, and some of them tens of milliseconds.
    assert sum(prepared > 2 * LIVE.preparation for prepared, _ in unbounded) > 5


def test_searches_that_an_earlier_session_prepared_count_the_same_steps_without_the_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    count, text = Count(monkeypatch), real_text("python")[:1_200]
    made: list[object] = []
    monkeypatch.setattr(
        "ttsr_ls.matching.streams.condition_searches.final_form_incrementally",
        lambda pattern: made.append(pattern) or final_form_incrementally(pattern),
    )
    shared = SharedMatching(shares_searches=False)
    alone = streamed(text, LIVE, count, 200)
    first = streamed(text, LIVE, count, 200, MatcherCache(shared))
    assert made
    made.clear()
    again = streamed(text, LIVE, count, 200, MatcherCache(shared))
    assert first == alone
    # The states of the automaton are shared, so its work leaves other deltas more steps.
    assert again[0] == first[0]
    assert sum(prepared for prepared, _ in again[1]) == sum(prepared for prepared, _ in first[1]) > 0
    assert made == []


HOSTILE = {
    "text": "a" * 2_998 + "$",
    "alternatives": "(?:" + "|".join(chr(0x100 + 2 * number) for number in range(1_490)) + ")$",
    "options": "".join(chr(0x100 + 2 * number) + "?" for number in range(1_490)) + "(?!b$)",
    "negated lookaheads in one another": "(?!" * 740 + "a" + ")" * 740,
    "negated lookaheads": "(?!a$)" * 500,
    "captures in one another": "(" * 1_490 + "a" + ")" * 1_490 + r"\1",
    "backreferences": r"(a|b)" + r"\1\b" * 740,
    "boundaries": r"\b" * 1_490,
    "runs": "".join(f"[^{chr(0x100 + number)}]*" for number in range(590)),
    "a class": "[" + "".join(chr(0x100 + 2 * number) for number in range(1_000)) + "]",
    "the largest real one": max(all_conditions(), key=len),
}


def portions_of(source: str) -> list[float]:
    """The seconds of each portion of the preparation of a condition's searches."""
    searches = ConditionSearches(compile_condition(source))
    times = []
    for name in ("measuring", "planning", "completing"):
        preparation: Preparation = getattr(searches, name)
        while not preparation.is_done:
            before = time.thread_time()
            preparation.advance(1)
            times.append(time.thread_time() - before)
    return times


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE)
def test_each_portion_of_preparation_is_short(source: str) -> None:
    least = portions_of(source)
    for _ in range(4):  # Another process may have interrupted a run.
        if not is_below(max(least), _LONGEST_PORTION):
            least = [min(times) for times in zip(least, portions_of(source), strict=True)]
    assert is_below(max(least), _LONGEST_PORTION)
