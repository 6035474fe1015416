"""Loops that search the whole text again at each delta: in Python, in Node, and in the reference agent's own manager.

Each searches for the conditions that have not matched before. A dash stands for what could not be measured.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from benchmarks.feeding import DELTA
from benchmarks.real_conditions import real_conditions
from benchmarks.real_texts import real_text
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.rules.condition import compile_condition

LENGTHS = (2_000, 20_000)
KIND = "python"
_PATIENCE = 60
_PACKAGE = "node_modules/@oh-my-pi/pi-coding-agent"


class Sampled(msgspec.Struct):
    """Milliseconds of one delta where the text has `length` characters, `matched` conditions being done with."""

    length: int
    median: float
    matched: int


class Sampling(msgspec.Struct):
    """What a script measured: how many conditions it could use, and what they cost."""

    registered: int
    costs: list[Sampled]


def print_naive(counts: Sequence[int]) -> None:
    """Prints a table of what one delta costs, in µs, by the number of rules and the length of the text."""
    print(f"\nSearching all of the text again, {KIND}: µs for one delta, (conditions it could use)\n")
    print("| rules | text | Python, `regex` | Node | the reference's manager |\n| ---: | ---: | ---: | ---: | ---: |")
    for count in counts:
        conditions = real_conditions(count, rare=True)
        text = real_text(KIND)
        columns = [_python(conditions, text), node_costs(conditions, text), _reference(conditions, text)]
        for number, length in enumerate(LENGTHS):
            cells = [
                "-" if column is None else f"{1e3 * column.costs[number].median:.0f} ({column.registered})"
                for column in columns
            ]
            print(f"| {count} | {length} | {' | '.join(cells)} |", flush=True)


def node_costs(conditions: Sequence[str], text: str) -> Sampling | None:
    """What the loop costs in Node; None where there is no Node, or it takes more than a minute."""
    node = shutil.which("node")
    if node is None:
        return None
    return sampling([node, str(Path(__file__).with_name("naive.mjs"))], conditions, text, LENGTHS)


def reference_command(program: str) -> list[str]:
    """The command that runs `reference.ts` in the installed reference agent `program`."""
    folder = Path(program).resolve().parent
    return [str(folder / "bun"), str(Path(__file__).with_name("reference.ts")), str(folder / _PACKAGE)]


def sampling(command: list[str], conditions: Sequence[str], text: str, lengths: Sequence[int]) -> Sampling | None:
    """Runs a script that measures; None where it takes more than a minute."""
    asked = {"conditions": list(conditions), "text": text, "delta": DELTA, "at": list(lengths)}
    try:
        ran = subprocess.run(
            command, input=json.dumps(asked), capture_output=True, text=True, check=True, timeout=_PATIENCE
        )
    except subprocess.TimeoutExpired:
        return None
    return msgspec.json.decode(ran.stdout.splitlines()[-1], type=Sampling)


def _reference(conditions: Sequence[str], text: str) -> Sampling | None:
    program = os.environ.get("TTSR_OMP")
    return None if program is None else sampling(reference_command(program), conditions, text, LENGTHS)


def _python(conditions: Sequence[str], text: str) -> Sampling:
    matchers = [compile_condition(condition).matcher for condition in conditions]
    costs = []
    for length in LENGTHS:
        known, new = text[:length], text[: length + DELTA]
        # This also makes the matchers, which is no part of what a delta costs.
        left = [matcher for matcher in matchers if not _is_found(matcher.test, known)]
        start = time.perf_counter()
        for matcher in left:
            _is_found(matcher.test, new)
        costs.append(Sampled(length, 1e3 * (time.perf_counter() - start), len(matchers) - len(left)))
    return Sampling(len(matchers), costs)


def _is_found(test: Callable[[str], bool], text: str) -> bool:
    with contextlib.suppress(MatchLimitExceeded):
        return test(text)
    return False
