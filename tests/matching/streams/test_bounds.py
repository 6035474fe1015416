"""The costs of matching for a session: memory, time, and work for Python's cycle collector (docs/performance.md)."""

from __future__ import annotations

import gc
import subprocess
import sys
import tracemalloc
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from benchmarks.conditions import conditions
from benchmarks.texts import code
from tests.rules.rule_files import TEXT, rule_of
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.program.budget import SearchSteps, StepBudget
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.matching.streams.automaton_matcher import AutomatonMatcher
from ttsr_ls.matching.streams.exact_verifier import BudgetExhausted, ExactVerifier
from ttsr_ls.matching.streams.resumable_search import ResumableSearch
from ttsr_ls.matching.streams.search_limits import LIVE
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.stream import BlockEnd, Delta

ROOT = Path(__file__).parents[3]
# On Linux, `ru_maxrss` of a child includes the memory of its parent at the fork.
A_THOUSAND_RULES = """
import re
from pathlib import Path
from benchmarks.conditions import conditions
from benchmarks.texts import code, prose
from ttsr_ls.matching.streams.automaton_matcher import AutomatonMatcher
from ttsr_ls.rules.condition import compile_condition

matcher = AutomatonMatcher([compile_condition(source) for source in conditions(1000)])
matcher.prewarm(code(200_000, 1) + prose(200_000, 1))


def megabytes_after(text):
    stream = matcher.open()
    for at in range(0, len(text), 16):
        stream.append(text[at : at + 16])
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.search(r"VmHWM:\\s*([0-9]+) kB", status.read_text())[1]) // 1024
    import resource
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024**2


for text in (code(300_000, 2), prose(300_000, 2)):
    print(megabytes_after(text[:20_000]), megabytes_after(text))
"""
# Each takes exponential time with backtracking on its text, and none can be decided by an automaton alone.
CATASTROPHIC = [rf"(?:({unit}|{unit}{unit})+\1)+{end}" for unit in "abcdefghij" for end in "!;:,#%"]


def test_a_thousand_rules_take_less_than_100_mb_however_long_the_text_is() -> None:
    process = subprocess.run(
        [sys.executable, "-c", A_THOUSAND_RULES], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for first, last in (map(int, line.split()) for line in process.stdout.splitlines()):
        assert last < 100
        # Two million units would add 43 MB: less than 22 bytes for each.
        assert last - first <= 6


@pytest.mark.parametrize("rules", [100, 1000])
def test_a_stream_takes_less_than_2_kb_beside_its_text(rules: int) -> None:
    matcher = AutomatonMatcher([compile_condition(source) for source in conditions(rules)])
    text = code(2_000, 1)
    # The last deltas, which the stream keeps.
    recent = LIVE.automaton.kept_chunks * sys.getsizeof(text[:16].encode()) + LIVE.automaton.kept_units
    kept = [matcher.open()]
    for position in range(0, len(text), 16):
        kept[0].append(text[position : position + 16])
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for _ in range(20):
        stream = matcher.open()
        for position in range(0, len(text), 16):
            stream.append(text[position : position + 16])
        assert stream.prefix(5) == text[:5]
        kept.append(stream)
    # Empties the interpreter's lists of unused tuples, which grow to 100 KB, and whose members count as used.
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (after - before) / 20 - len(text) - recent < 2_000


@pytest.mark.parametrize("rules", [100, 1000])
def test_deltas_create_no_objects_that_the_collector_traverses(rules: int) -> None:
    matcher = AutomatonMatcher([compile_condition(source) for source in conditions(rules)])
    matcher.prewarm(code(200_000, 1))
    stream = matcher.open()
    text = code(100_000, 2)
    stream.append(text[:1_000])
    gc.collect()
    before = len(gc.get_objects())
    for position in range(1_000, len(text), 16):
        stream.append(text[position : position + 16])
    gc.collect()
    # This builds thousands of states.
    assert len(gc.get_objects()) - before < 100


def test_sixty_catastrophic_conditions_do_not_change_other_matches() -> None:
    rules = [rule_of(source, name=f"bad{number}") for number, source in enumerate(CATASTROPHIC)]
    good = rule_of(r"(['\"])x\1", name="good")
    monitor = Monitor(RuleSet((*rules, good)))
    monitor.prewarm("")
    text = "".join(unit * 40 for unit in "abcdefghij") + " 'x' " + "and so on " * 200
    triggers = [
        trigger
        for position in range(0, len(text), 16)
        for trigger in monitor.feed(Delta(TEXT, text[position : position + 16]))
    ]
    triggers += monitor.feed(BlockEnd(TEXT))
    assert [(trigger.rule.name, trigger.start, trigger.end, trigger.offset) for trigger in triggers] == [
        ("good", 401, 404, 404)
    ]


def needing(steps: int, budget: StepBudget) -> SearchSteps[str]:
    """A search that takes this many steps."""
    for _ in range(steps):
        while budget.left <= 0:
            yield
        budget.left -= 1
    return "found"


PATIENT = replace(LIVE, exhausted_deltas=1 << 60)
"""The limits of live streams, without the lower rate after many exhausted deltas."""


def test_an_unfinished_search_is_answered_before_endless_ones_are_abandoned() -> None:
    verifier = ExactVerifier([], PATIENT)
    endless = {number: ResumableSearch[str](partial(needing, 10**9)) for number in range(20)}
    quick = ResumableSearch[str](partial(needing, 2 * LIVE.share))
    given_up: dict[int, int] = {}
    answered = None
    # After this number of deltas, all endless searches have got all of their steps.
    for delta in range(20 * LIVE.search // LIVE.rate + 1_000):
        verifier.deltas += 1
        for number in [number for number in endless if number not in given_up]:
            try:
                verifier.advance(endless[number])
            except BudgetExhausted:
                pass
            except MatchLimitExceeded:
                given_up[number] = delta
        if answered is None:
            with suppress(BudgetExhausted):
                assert verifier.advance(quick) == "found"
                answered = delta
    assert answered is not None
    assert answered < min(given_up.values())
    assert len(given_up) == 20


def test_a_new_search_finishes_beside_many_endless_ones() -> None:
    verifier = ExactVerifier([], LIVE)
    endless = [ResumableSearch[str](partial(needing, 10**9)) for _ in range(20)]
    for _ in range(10):
        verifier.deltas += 1
        for search in endless:
            with suppress(BudgetExhausted):
                verifier.advance(search)
    assert verifier.advance(ResumableSearch(partial(needing, LIVE.share))) == "found"


def test_the_steps_of_a_delta_are_limited() -> None:
    verifier = ExactVerifier([], LIVE)
    searches = [ResumableSearch[str](partial(needing, 10**9)) for _ in range(100)]
    for _ in range(10):
        before = sum(search.spent for search in searches)
        verifier.deltas += 1
        for search in searches:
            with suppress(BudgetExhausted):
                verifier.advance(search)
        assert sum(search.spent for search in searches) - before <= LIVE.delta


def test_a_slow_condition_raises_at_once_at_the_end_of_a_block() -> None:
    stream = AutomatonMatcher([compile_condition(r"(.+)(.+)(.+)(.+)X\4\3\2\1!")]).open()
    distinct = "".join(map(chr, range(0x100, 0x140)))
    stream.append(f"{distinct}X{distinct}!")
    stream.end()
    with pytest.raises(MatchLimitExceeded):
        stream.match_at_end(0)


def test_searches_at_each_of_many_deltas_stay_within_the_rate() -> None:
    """Each search finishes, and each delta starts new ones, as in `reference` matching."""
    verifier = ExactVerifier([], PATIENT)
    taken = 0
    deltas = 2_000
    for _ in range(deltas):
        verifier.deltas += 1
        for _ in range(10):
            search = ResumableSearch[str](partial(needing, LIVE.share // 2))
            with suppress(BudgetExhausted):
                verifier.advance(search)
            taken += search.spent
    assert LIVE.rate * deltas < taken <= LIVE.burst + LIVE.rate * deltas + LIVE.delta


def test_searches_that_exhaust_many_deltas_get_the_lower_rate() -> None:
    verifier = ExactVerifier([], LIVE)
    searches = [ResumableSearch[str](partial(needing, 10**9)) for _ in range(30)]
    deltas = 2_000
    for _ in range(deltas):
        verifier.deltas += 1
        for search in searches:
            with suppress(BudgetExhausted):
                verifier.advance(search)
    taken = sum(search.spent for search in searches)
    # Unfinished searches get half of a delta.
    until_then = LIVE.burst // (LIVE.delta // 2 - LIVE.rate) + LIVE.exhausted_deltas + 1
    assert taken <= LIVE.burst + LIVE.rate * until_then + LIVE.exhausted_rate * deltas
    assert taken < LIVE.rate * deltas / 3
    verifier.deltas += LIVE.share // LIVE.exhausted_rate
    assert verifier.advance(ResumableSearch[str](partial(needing, LIVE.share // 2))) == "found"
    for _ in range(5):
        verifier.deltas += 1
        assert verifier.advance(ResumableSearch[str](partial(needing, LIVE.rate - 1))) == "found"


def test_saved_steps_are_available_to_one_costly_delta() -> None:
    verifier = ExactVerifier([], LIVE)
    for _ in range(1_000):
        verifier.deltas += 1
        assert verifier.advance(ResumableSearch[str](partial(needing, LIVE.rate // 2))) == "found"
    verifier.deltas += 1
    assert verifier.advance(ResumableSearch[str](partial(needing, LIVE.delta // 2))) == "found"
