"""Compares the engine with its specification on random rule sets, texts and ways to cut them, in both modes.

`python tests/engine/comparison.py --cases 100000 --seed 1` runs as many as docs/performance.md tells of; the test suite
runs a few (`test_comparison`). Each case is made from its seed alone, so that a difference can be looked into.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random

from obvious_monitor import Answer, ObviousMonitor
from random_rules import random_condition, random_pieces, random_text
from rule_files import TEXT, rule_of

from ttsr_ls.engine.confirmation import UNHURRIED
from ttsr_ls.engine.monitor import Monitor
from ttsr_ls.engine.rule import Rule
from ttsr_ls.engine.rule_set import RuleSet
from ttsr_ls.engine.settings import Matching
from ttsr_ls.engine.stream import BlockEnd, Delta, Snapshot, StreamEvent, Trigger
from ttsr_ls.esregex.automaton import filtered, prefilter
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.units import to_units

_USUAL = filtered._LEAST, filtered._BEHIND, prefilter._DISTINCT


def difference(seed: int) -> str | None:
    """How the engine differs from the specification in the case with this seed. None if it does not.

    Raises `MatchLimitExceeded` where the specification takes more steps than it may.
    """
    random = Random(seed)
    conditions = [[random_condition(random) for _ in range(random.randint(1, 2))] for _ in range(random.randint(1, 4))]
    rules = [rule_of(*of_one, name=f"r{number}") for number, of_one in enumerate(conditions)]
    text = random_text(random)
    pieces = random_pieces(random, text)
    with _filtering(seed % 2 == 1, seed % 7):
        obvious = ObviousMonitor(rules)
        expected = [obvious.stable(text), *_references(obvious, pieces)]
        answers = [_stable(random, rules, pieces), *_reference(rules, pieces)]
    if answers == expected:
        return None
    return f"seed {seed}: conditions {conditions}, pieces {pieces}\n  told {answers}\n  not  {expected}"


@contextmanager
def _filtering(wanted: bool, behind: int) -> Iterator[None]:
    """Few and short conditions are filtered as many long ones are, in the cases where that is wanted."""
    filtered._LEAST, filtered._BEHIND, prefilter._DISTINCT = (1, behind, 1) if wanted else _USUAL
    try:
        yield
    finally:  # Other tests of the same process want the usual values.
        filtered._LEAST, filtered._BEHIND, prefilter._DISTINCT = _USUAL


def _stable(random: Random, rules: Sequence[Rule], pieces: Sequence[str]) -> list[Answer]:
    """What all events of a block trigger; some bring a delta, others a snapshot of all so far."""
    monitor = Monitor(RuleSet(tuple(rules)), None, Matching.STABLE, bounds=UNHURRIED)
    triggers: list[Trigger] = []
    so_far = ""
    for piece in pieces:
        so_far += piece
        event: StreamEvent = Delta(TEXT, _text(piece))
        if random.random() < 0.2:
            event = Snapshot(TEXT, _text(so_far))
        triggers += monitor.feed(event)
    return _answers([*triggers, *monitor.feed(BlockEnd(TEXT))])


def _reference(rules: Sequence[Rule], pieces: Sequence[str]) -> list[list[Answer]]:
    monitor = Monitor(RuleSet(tuple(rules)), None, Matching.REFERENCE, bounds=UNHURRIED)
    return [_answers(monitor.feed(Delta(TEXT, _text(piece)))) for piece in pieces]


def _references(obvious: ObviousMonitor, pieces: Sequence[str]) -> list[list[Answer]]:
    return [obvious.reference("".join(pieces[: count + 1])) for count in range(len(pieces))]


def _answers(triggers: Sequence[Trigger]) -> list[Answer]:
    return [Answer(each.rule, each.condition, each.start, each.end, each.offset) for each in triggers]


def _text(units: str) -> str:
    """Units as text comes, with pairs of surrogates put together."""
    text = units.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    assert to_units(text) == units
    return text


def main() -> None:
    """Run many cases and tell the differences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1, help="of the first case; the others have the next ones")
    arguments = parser.parse_args()
    start = time.monotonic()
    found = passed_over = 0
    for seed in range(arguments.seed, arguments.seed + arguments.cases):
        try:
            told = difference(seed)
        except MatchLimitExceeded:
            passed_over += 1
            continue
        if told is not None:
            found += 1
            print(told, flush=True)
    seconds = time.monotonic() - start
    print(f"{arguments.cases} cases in {seconds:.0f} s: {found} differences, {passed_over} passed over")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
