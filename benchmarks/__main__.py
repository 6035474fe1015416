"""`python -m benchmarks`: what a delta costs, by rules, length of the message and length of the delta.

Prints the tables of docs/performance.md. `--full` adds messages of 2 MB. Beside our engine stands the naive loop, which
searches the whole text again at each delta: its cost at the end of a message, from a few samples.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.conditions import conditions
from benchmarks.texts import code, prose
from ttsr_ls.engine.automaton_watcher import AutomatonWatcher
from ttsr_ls.engine.condition import Condition, compile_condition
from ttsr_ls.engine.search_watcher import SearchWatcher
from ttsr_ls.esregex.errors import MatchLimitExceeded

RULES = (10, 30, 100, 1000)
DELTAS = (4, 16, 64)
PREWARMED = 200_000
TEXTS: dict[str, Callable[[int, int], str]] = {"code": code, "prose": prose}


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds per delta, and of the whole message. `greatest` is processor time: others run on the machine, too."""

    median: float
    p99: float
    greatest: float
    total: float


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--full", action="store_true", help="measure messages of 2 MB, too")
    parser.add_argument("--rules", type=int, nargs="*", default=RULES)
    arguments = parser.parse_args()
    lengths = (2_000, 20_000, 200_000, *((2_000_000,) if arguments.full else ()))
    print(f"Python {sys.version.split()[0]}; per delta in µs, of unseen text, after {PREWARMED} units of prewarming")
    for count in arguments.rules:
        measure(count, lengths)


def measure(count: int, lengths: tuple[int, ...]) -> None:
    """The tables for one number of rules."""
    sources = conditions(count)
    start = time.perf_counter()
    compiled = [compile_condition(source) for source in sources]
    parsed = time.perf_counter()
    watcher = AutomatonWatcher(compiled)
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
        print(f"{'length':>9} {'delta':>5} {'p50':>7} {'p99':>7} {'max':>8} {'total ms':>9} {'naive':>9}")
        for length in lengths:
            naive = naive_cost(compiled, text_of(length, 2))
            for size in DELTAS:
                # Each from a seed of its own: text that was seen before costs less.
                cost = stream_cost(watcher, text_of(length, length + count + size), size)
                print(
                    f"{length:9} {size:5} {1e6 * cost.median:7.2f} {1e6 * cost.p99:7.1f} {1e6 * cost.greatest:8.0f} "
                    f"{1e3 * cost.total:9.1f} {1e6 * naive:9.0f}"
                )
    print(f"peak memory of the process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


def stream_cost(watcher: AutomatonWatcher, text: str, size: int) -> Cost:
    """A message in deltas of `size` units, with a look at what is final after each."""
    deltas = [text[start : start + size] for start in range(0, len(text), size)]
    stream = watcher.open()
    times = []
    greatest = 0.0
    clock, work = time.perf_counter, time.thread_time
    for delta in deltas:
        before = work()
        start = clock()
        stream.append(delta)
        stream.final_conditions  # noqa: B018
        times.append(clock() - start)
        greatest = max(greatest, work() - before)
    total = sum(times)
    times.sort()
    return Cost(times[len(times) // 2], times[len(times) * 99 // 100], greatest, total)


def naive_cost(compiled: list[Condition], text: str) -> float:
    """What one more delta of 16 units costs at the end of the text when all of it is searched again."""
    stream = SearchWatcher(compiled).open()
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
