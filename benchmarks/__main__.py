"""`python -m benchmarks`: what a delta costs with real conditions on real texts, through `Monitor.feed`.

Prints the tables of docs/performance.md, and at the end which of the limits that the project sets itself were kept.
`--against PATH` measures another checkout in turns with this one and prints the ratios.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.adversarial import SETS
from benchmarks.compared import print_compared
from benchmarks.feeding import EARLY, First, Row
from benchmarks.limits import (
    Verdict,
    delta_verdict,
    first_message_verdict,
    memory_verdict,
    prewarming_verdict,
    worst_verdict,
)
from benchmarks.measuring import Cost, microseconds
from benchmarks.naive import print_naive
from benchmarks.real_texts import KINDS
from benchmarks.worker import ROOT, Worker

RULES = (100, 1000)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rules", type=int, nargs="*", default=RULES)
    parser.add_argument("--texts", nargs="*", choices=KINDS, default=KINDS)
    parser.add_argument("--against", type=Path, metavar="PATH", help="another checkout to measure in turns with this")
    parser.add_argument("--rounds", type=int, default=3, help="with --against: how often each row is measured")
    parser.add_argument("--no-naive", action="store_true", help="leave out the loops that search the whole text")
    arguments = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} processors; µs for a delta of 16 units")
    if arguments.against is None:
        verdicts = list(_measured(arguments.rules, arguments.texts))
        if not arguments.no_naive:
            print_naive(arguments.rules)
        print("\n" + "\n".join(map(str, verdicts)))
    else:
        print_compared(arguments.rules, arguments.texts, (ROOT, arguments.against.resolve()), arguments.rounds)


def _measured(counts: Sequence[int], kinds: Sequence[str]) -> Iterator[Verdict]:
    for count in counts:
        with Worker(ROOT) as worker:
            yield from _rare(worker, count, kinds)
            if count > EARLY:
                yield from _after_firing(worker, count, kinds)
            yield from _any(worker, count, kinds)
        with Worker(ROOT) as worker:
            yield memory_verdict(f"{count} rules, memory", worker.ask(int, "peak_memory", count))
    yield from _adversarial()


def _rare(worker: Worker, count: int, kinds: Sequence[str]) -> Iterator[Verdict]:
    print(f"\n{count} conditions that rarely match\n")
    print("| text | first 2 KB: p50 | p99 | cold: p50 | p99 | warm: p50 | p99 | max | automaton alone | fired |")
    print("| --- |" + " ---: |" * 9)
    prewarmings = []
    for kind in kinds:
        row: Row = worker.ask(Row, "measure_row", count, kind, rare=True)
        first: First = worker.ask(First, "measure_first", count, kind)
        costs = f"{_two(first.message)} | {_two(row.cold)} | {_three(row.warm)}"
        print(f"| {kind} | {costs} | {microseconds(row.automaton)} | {row.fired} |")
        yield delta_verdict(f"{count} rules, {kind}", kind, count, row.warm)
        yield worst_verdict(f"{count} rules, {kind}", row.warm)
        if count <= 100:
            yield first_message_verdict(f"{count} rules, {kind}, first 2 KB", first.message)
        prewarmings.append(first.prewarming)
    yield prewarming_verdict(f"{count} rules, prewarming", max(prewarmings))


def _any(worker: Worker, count: int, kinds: Sequence[str]) -> Iterator[Verdict]:
    print(f"\n{count} conditions, of which many match\n")
    print("| text | cold: p50 | p99 | warm: p50 | p99 | max | automaton alone | fired |\n| --- |" + " ---: |" * 7)
    for kind in kinds:
        row: Row = worker.ask(Row, "measure_row", count, kind, rare=False)
        print(f"| {kind} | {_two(row.cold)} | {_three(row.warm)} | {microseconds(row.automaton)} | {row.fired} |")
        yield worst_verdict(f"{count} rules of which {row.fired} fired, {kind}", row.warm)


def _after_firing(worker: Worker, count: int, kinds: Sequence[str]) -> Iterator[Verdict]:
    print(f"\n{count} conditions, after {EARLY} of them fired in the stream\n")
    print("| text | p50 | p99 | max | automaton alone | fired |\n| --- |" + " ---: |" * 5)
    for kind in kinds:
        cost, fired, automaton = worker.ask(tuple[Cost, int, float], "measure_after_firing", count, kind)
        print(f"| {kind} | {_three(cost)} | {microseconds(automaton)} | {fired} |")
        yield delta_verdict(f"{count} rules, {kind}, after {EARLY} fired", kind, count, cost)


def _adversarial() -> Iterator[Verdict]:
    print("\nRule sets that are made to be costly\n\n| conditions | p50 | p99 | max | deltas measured | disabled |")
    print("| --- |" + " ---: |" * 5)
    for name in SETS:
        with Worker(ROOT) as worker:
            cost, deltas, disabled = worker.ask(tuple[Cost, int, int], "measure_adversarial", name)
        print(f"| {name} | {_three(cost)} | {cost.deltas} of {deltas} | {disabled} |")
        yield worst_verdict(name, cost)


def _two(cost: Cost) -> str:
    return f"{microseconds(cost.median)} | {microseconds(cost.p99)}"


def _three(cost: Cost) -> str:
    return f"{_two(cost)} | {microseconds(cost.greatest)}"


if __name__ == "__main__":
    main()
