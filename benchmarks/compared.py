"""Measures two checkouts in turns and prints the ratios: `python -m benchmarks --against PATH`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TypeVar

from benchmarks.adversarial import SETS
from benchmarks.feeding import EARLY, First, Row
from benchmarks.measuring import Cost, microseconds
from benchmarks.worker import Worker

_Checkout = TypeVar("_Checkout")
_Figures = Mapping[str, float]
"""Seconds by column."""


def print_compared(counts: Sequence[int], kinds: Sequence[str], checkouts: tuple[Path, Path], rounds: int) -> None:
    """Prints the least figures of some rounds of the first checkout, those of the second one, and the ratios."""
    print(f"\n{checkouts[0]} / {checkouts[1]} = ratio; the least of {rounds} rounds in turns")
    for count in counts:
        for rare in (True, False):
            print(f"\n{count} conditions {'that rarely match' if rare else 'of which many match'}")
            with ExitStack() as stack:
                workers = [stack.enter_context(Worker(checkout)) for checkout in checkouts]
                _print_rows(kinds, partial(_row, count=count, rare=rare), workers, rounds)
    print("\nRule sets that are made to be costly")

    def adversarial(checkout: Path, name: str) -> _Figures:
        with Worker(checkout) as worker:
            cost, _, _ = worker.ask(tuple[Cost, int, int], "measure_adversarial", name)
        return {"p50": cost.median, "p99": cost.p99, "max": cost.greatest}

    _print_rows(tuple(SETS), adversarial, checkouts, rounds)


def _row(worker: Worker, kind: str, count: int, rare: bool) -> _Figures:
    row: Row = worker.ask(Row, "measure_row", count, kind, rare=rare)
    figures = {
        "warm: p50": row.warm.median,
        "p99": row.warm.p99,
        "max": row.warm.greatest,
        "cold: p50": row.cold.median,
        "cold: p99": row.cold.p99,
        "automaton": row.automaton,
    }
    if rare:
        first: First = worker.ask(First, "measure_first", count, kind)
        figures |= {"first 2 KB: p50": first.message.median, "first 2 KB: p99": first.message.p99}
        figures["prewarming"] = first.prewarming
        if count > EARLY:
            cost, _, _ = worker.ask(tuple[Cost, int, float], "measure_after_firing", count, kind)
            figures |= {f"after {EARLY} fired: p50": cost.median, f"after {EARLY} fired: p99": cost.p99}
    return figures


def _print_rows(
    names: Sequence[str], measure: Callable[[_Checkout, str], _Figures], checkouts: Sequence[_Checkout], rounds: int
) -> None:
    for at, name in enumerate(names):
        measured: list[list[_Figures]] = [[], []]
        for _ in range(rounds):
            for checkout, figures in zip(checkouts, measured, strict=True):
                figures.append(measure(checkout, name))
        if not at:
            print("\n| | " + " | ".join(measured[0][0]) + " |\n| --- |" + " ---: |" * len(measured[0][0]))
        print(f"| {name} | " + " | ".join(_ratios(*measured)) + " |")


def _ratios(here: Sequence[_Figures], there: Sequence[_Figures]) -> Iterator[str]:
    for column in here[0]:
        first, second = (min(figures[column] for figures in each) for each in (here, there))
        yield f"{microseconds(first)} / {microseconds(second)} = {first / second:.2f}"
