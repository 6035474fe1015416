"""`python -m benchmarks.generated`: what a delta costs, by rules, length of the message and length of the delta.

Prints the tables of docs/performance.md; `--full` adds messages of 2 MB. Medians and percentiles are those of deltas
that came while the machine was at its full speed, which other work tells (`machine`). Beside our engine stands the
naive loop, which searches the whole text again at each delta: its cost at the end of a message, from a few samples. At
the end it is told which of the limits that the project sets itself were kept.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import resource
import sys
import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.conditions import conditions
from benchmarks.machine import Machine
from benchmarks.search_matcher import SearchMatcher
from benchmarks.texts import code, prose
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.matching.streams.automaton_matcher import AutomatonMatcher
from ttsr_ls.rules.condition import Condition, compile_condition

RULES = (10, 30, 100, 1000)
DELTAS = (4, 16, 64)
PREWARMED = 200_000
AT_ONCE = 32
"""So many deltas are streamed between looks at the machine."""
MIN_COUNTED = 0.1
"""Where the machine was at its full speed during a smaller share of the deltas, all count, and that is told."""
PAUSE = 0.05
PATIENCE = 15.0
"""How many seconds a row waits for it in all."""
MIN_TEXT = 20_000
"""Of short messages so many are streamed that they make up this many units: a median of few deltas says little."""
ROWS = [
    "| rules | text | message | p50 | p99 | max | naive, one delta |",
    "| ---: | --- | ---: | ---: | ---: | ---: | ---: |",
]
TEXTS: dict[str, Callable[[int, int], str]] = {"code": code, "prose": prose}


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds per delta, and of a whole message. `greatest` is processor time: others run on the machine, too.

    `counted` is the share of deltas that the median and the percentile are those of.
    """

    median: float
    p99: float
    greatest: float
    total: float
    counted: float

    def or_worse(self, other: Cost, size: int) -> Cost:
        """The worse of the figures; of other deltas than those of 16 units only the greatest counts."""
        median, p99 = (other.median, other.p99) if size == 16 else (0.0, 0.0)
        greatest, counted = max(self.greatest, other.greatest), min(self.counted, other.counted)
        return Cost(max(self.median, median), max(self.p99, p99), greatest, 0.0, counted)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.generated", description=__doc__)
    parser.add_argument("--full", action="store_true", help="measure messages of 2 MB, too")
    parser.add_argument("--table", action="store_true", help="at the end, print the table of docs/performance.md")
    parser.add_argument("--rules", type=int, nargs="*", default=RULES)
    arguments = parser.parse_args()
    lengths = (2_000, 20_000, 200_000, *((2_000_000,) if arguments.full else ()))
    print(f"Python {sys.version.split()[0]}; per delta in µs, of unseen text, after {PREWARMED} units of prewarming")
    machine = Machine()
    print(
        f"{1e6 * machine.least_for_16:.2f} µs for 16 look-ups in a table, the least that a delta of 16 units can cost"
    )
    worst = [measure(count, lengths, machine) for count in arguments.rules]
    print()
    for count, cost in zip(arguments.rules, worst, strict=True):
        print(verdict(count, cost))
    if arguments.table:
        print("\n".join(["", *ROWS]))


def verdict(count: int, worst: Cost) -> str:
    """Returns whether the worst row for deltas of 16 units, and the longest pause of all, are within the limits."""
    median, p99 = (2e-6, 60e-6) if count <= 100 else (3e-6, 300e-6)
    kept = worst.median < median and worst.p99 < p99 and worst.greatest < 5e-3
    return (
        f"{count} rules: p50 {1e6 * worst.median:.2f} (limit {1e6 * median:.0f}), p99 {1e6 * worst.p99:.0f} "
        f"({1e6 * p99:.0f}), max {1e6 * worst.greatest:.0f} (5000) µs: {'kept' if kept else 'BROKEN'}; "
        f"at full speed for at least {worst.counted:.0%} of a row"
    )


def measure(count: int, lengths: tuple[int, ...], machine: Machine) -> Cost:
    """The tables for one number of rules; gives the worst of their figures for deltas of 16 units."""
    worst = Cost(0, 0, 0, 0, 1)
    sources = conditions(count)
    start = time.perf_counter()
    compiled = [compile_condition(source) for source in sources]
    parsed = time.perf_counter()
    watcher = AutomatonMatcher(compiled)
    watcher.open()
    built = time.perf_counter()
    print(f"\n{count} rules: read in {1e3 * (parsed - start):.0f} ms, built in {1e3 * (built - parsed):.0f} ms")
    for name, text_of in TEXTS.items():
        start = time.perf_counter()
        watcher.prewarm(text_of(PREWARMED, 1))
        print(f"{name}, prewarmed in {1e3 * (time.perf_counter() - start):.0f} ms")
        # A host does the same once its rules are loaded: what lives on need not be looked through again and again.
        gc.collect()
        gc.freeze()
        print(
            f"{'length':>9} {'delta':>5} {'p50':>7} {'p99':>7} {'max':>8} {'total ms':>9} {'counted':>7} {'naive':>9}"
        )
        for length in lengths:
            rows = []
            for size in DELTAS:
                # Each from a seed of its own: text that was seen before costs less.
                seeds = range(length + count + size, length + count + size + max(1, MIN_TEXT // length))
                rows.append(cost_of(watcher, [text_of(length, 1000 * seed) for seed in seeds], size, machine))
            naive = naive_cost(compiled, text_of(length, 2))
            for size, cost in zip(DELTAS, rows, strict=True):
                print(
                    f"{length:9} {size:5} {1e6 * cost.median:7.2f} {1e6 * cost.p99:7.1f} {1e6 * cost.greatest:8.0f} "
                    f"{1e3 * cost.total:9.1f} {cost.counted:7.0%} {1e6 * naive:9.0f}"
                )
                worst = worst.or_worse(cost, size)
                if size == 16:
                    ROWS.append(row(count, name, length, cost, naive))
    print(f"peak memory of the process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")
    return worst


def row(count: int, text: str, length: int, cost: Cost, naive: float) -> str:
    """A row of the table."""
    message = f"{length // 1_000_000} MB" if length >= 1_000_000 else f"{length // 1_000} KB"
    searched = f"{naive:.1f} s" if naive >= 1 else f"{1e3 * naive:.1f} ms"
    figures = f"{1e6 * cost.median:.2f} | {1e6 * cost.p99:.0f} | {1e6 * cost.greatest:.0f}"
    return f"| {count} | {text} | {message} | {figures} | {searched} |"


def cost_of(watcher: AutomatonMatcher, messages: Sequence[str], size: int, machine: Machine) -> Cost:
    """Messages in deltas of `size` units, with a look at what is final after each."""
    # Nothing here may make a pause of its own: the collector of cycles would look through lists of deltas or figures.
    times, counted, some = array("d"), array("d"), array("d")
    greatest, patience = 0.0, PATIENCE
    clock, work = time.perf_counter, time.thread_time
    for text in messages:
        stream = watcher.open()
        for first in range(0, len(text), size * AT_ONCE):
            while not (is_at_full_speed := machine.is_at_full_speed()) and patience > 0:
                time.sleep(PAUSE)
                patience -= PAUSE
            for at in range(first, min(len(text), first + size * AT_ONCE), size):
                delta = text[at : at + size]
                before = work()
                start = clock()
                stream.append(delta)
                stream.final_conditions  # noqa: B018
                seconds, worked = clock() - start, work() - before
                some.append(seconds)
                greatest = max(greatest, worked)
            times += some
            if is_at_full_speed and machine.is_at_full_speed():
                counted += some
            del some[:]
    share = len(counted) / len(times)
    ordered = sorted(counted if share >= MIN_COUNTED else times)
    total = sum(times) / len(messages)
    return Cost(ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100], greatest, total, share)


def naive_cost(compiled: list[Condition], text: str) -> float:
    """What one more delta of 16 units costs at the end of the text when all of it is searched again."""
    stream = SearchMatcher(compiled).open()
    stream.append(text)
    sample = range(0, len(compiled), max(1, len(compiled) // 20))
    for number in sample:
        # The matchers are made at their first search.
        compiled[number].matcher.test("")
        compiled[number].final_matcher.test("")
    start = time.perf_counter()
    for number in sample:
        with contextlib.suppress(MatchLimitExceeded):
            stream.final_match(number)
    return (time.perf_counter() - start) / len(sample) * len(compiled)


if __name__ == "__main__":
    main()
