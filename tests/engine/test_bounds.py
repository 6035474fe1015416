"""What matching may cost a session: memory, time, and work for Python's collector of cycles (docs/performance.md)."""

from __future__ import annotations

import gc
import subprocess
import sys
import tracemalloc
from contextlib import suppress
from pathlib import Path

import pytest
from rule_files import TEXT, rule_of

from benchmarks.conditions import conditions
from benchmarks.texts import code
from ttsr_ls.engine.automaton_watcher import AutomatonWatcher
from ttsr_ls.engine.condition import compile_condition
from ttsr_ls.engine.confirmation import Confirmations, NotNow, _Matchers
from ttsr_ls.engine.monitor import Monitor
from ttsr_ls.engine.rule_set import RuleSet
from ttsr_ls.engine.stream import BlockEnd, Delta
from ttsr_ls.esregex.allowance import Allowance
from ttsr_ls.esregex.automaton.filtered import _BEHIND
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.text import Span

ROOT = Path(__file__).parents[2]
# On Linux, `ru_maxrss` counts what this process had when it started the other one.
A_THOUSAND_RULES = """
import re
from pathlib import Path
from benchmarks.conditions import conditions
from benchmarks.texts import code, prose
from ttsr_ls.engine.automaton_watcher import AutomatonWatcher
from ttsr_ls.engine.condition import compile_condition

watcher = AutomatonWatcher([compile_condition(source) for source in conditions(1000)])
watcher.prewarm(code(200_000, 1) + prose(200_000, 1))
for text in (code(1_000_000, 2), prose(1_000_000, 2)):
    stream = watcher.open()
    for at in range(0, len(text), 16):
        stream.append(text[at : at + 16])
status = Path("/proc/self/status")
if status.exists():
    print(int(re.search(r"VmHWM:\\s*([0-9]+) kB", status.read_text())[1]) // 1024)
else:
    import resource
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024**2)
"""
# Each takes any backtracking engine for ever on its text, and none can be decided by an automaton alone.
CATASTROPHIC = [rf"(?:({unit}|{unit}{unit})+\1)+{end}" for unit in "abcdefghij" for end in "!;:,#%"]


def test_a_thousand_rules_take_under_100_mb_in_all() -> None:
    ran = subprocess.run([sys.executable, "-c", A_THOUSAND_RULES], cwd=ROOT, capture_output=True, text=True, check=True)
    assert int(ran.stdout) < 100


@pytest.mark.parametrize("rules", [100, 1000])
def test_a_stream_takes_under_2_kb_beside_its_text(rules: int) -> None:
    watcher = AutomatonWatcher([compile_condition(source) for source in conditions(rules)])
    text = code(2_000, 1)
    # What is not read by the second automaton, as it came.
    unread = _BEHIND // 16 * sys.getsizeof(text[:16])
    kept = [watcher.open()]
    kept[0].append(text)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for _ in range(20):
        stream = watcher.open()
        for at in range(0, len(text), 16):
            stream.append(text[at : at + 16])
        assert stream.prefix(5) == text[:5]
        kept.append(stream)
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (after - before) / 20 - len(text) - unread < 2_000


@pytest.mark.parametrize("rules", [100, 1000])
def test_what_a_stream_brings_makes_nothing_that_the_collector_has_to_look_through(rules: int) -> None:
    watcher = AutomatonWatcher([compile_condition(source) for source in conditions(rules)])
    watcher.prewarm(code(1_000, 1))
    stream = watcher.open()
    text = code(100_000, 2)
    stream.append(text[:1_000])
    gc.collect()
    before = len(gc.get_objects())
    for at in range(1_000, len(text), 16):
        stream.append(text[at : at + 16])
    gc.collect()
    # It makes thousands of states.
    assert len(gc.get_objects()) - before < 100


def test_sixty_catastrophic_conditions_change_no_answer_of_others() -> None:
    rules = [rule_of(source, name=f"bad{number}") for number, source in enumerate(CATASTROPHIC)]
    good = rule_of(r"(['\"])x\1", name="good")
    monitor = Monitor(RuleSet((*rules, good)))
    monitor.prewarm("")
    text = "".join(unit * 40 for unit in "abcdefghij") + " 'x' " + "and so on " * 200
    triggers = [trigger for at in range(0, len(text), 16) for trigger in monitor.feed(Delta(TEXT, text[at : at + 16]))]
    triggers += monitor.feed(BlockEnd(TEXT))
    assert [(each.rule, each.start, each.end, each.offset) for each in triggers] == [("good", 401, 404, 404)]


class Needing:
    """A matcher that finds its text after so many seconds of its allowance."""

    def __init__(self, seconds: float, allowance: Allowance) -> None:
        self._seconds = seconds
        self._allowance = allowance

    def test(self, units: str) -> bool:
        self._allowance.left -= min(self._seconds, self._allowance.left)
        if not self._allowance.left:
            raise MatchLimitExceeded("too slow")
        return True

    def search(self, units: str, start: int = 0) -> Span | None:
        return Span(0, len(units)) if self.test(units) else None


def test_what_finds_no_time_in_a_delta_is_asked_again_before_others_are_given_up() -> None:
    asked = Confirmations([])
    for number, seconds in enumerate([*[1.0] * 20, 0.0001]):
        matcher = Needing(seconds, asked._allowance)
        asked._matchers[number] = _Matchers(matcher, matcher)
    given_up: dict[int, int] = {}
    found_at = None
    for delta in range(100):
        asked.deltas += 1
        for number in [number for number in range(20) if number not in given_up]:
            try:
                asked.least_final(number, "", -1)
            except NotNow:
                pass
            except MatchLimitExceeded:
                given_up[number] = delta
        if found_at is None:
            with suppress(NotNow):
                found_at = delta if asked.least_final(20, "", -1) == 0 else None
    assert found_at is not None
    assert 0 < found_at < min(given_up.values())
    assert len(given_up) == 20


def test_at_the_end_of_a_block_a_slow_condition_is_told_to_be_slow_at_once() -> None:
    asked = Confirmations([compile_condition(r"(a)?(?:(b|bb)+\2)+\1c")])
    asked.renew_for_end()
    with pytest.raises(MatchLimitExceeded):
        asked.least_final(0, "b" * 60, -1)
