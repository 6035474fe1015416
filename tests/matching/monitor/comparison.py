"""Compares the engine with its specification on random rule sets, texts and ways to cut them, in both modes.

The engine runs with the limits of a live stream. An answer that it reports to be open yet (deferred), or that it will
not give (disabled as too slow), is no difference, but is counted.
`python -m tests.matching.monitor.comparison --cases 100000 --seed 1` runs as many as docs/performance.md tells of;
with `--busy 8` beside eight processes that take all the processor time they get; the test suite runs a few
(`test_comparison`). Each case is made from its seed alone, so that a difference can be looked into.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from tests.matching.obvious_monitor import Answer, ObviousMonitor
from tests.matching.random_rules import random_condition, random_deltas, random_text
from tests.rules.rule_files import TEXT, rule_of
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.tree.units import to_units
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.matching.streams.search_limits import LIVE, SearchLimits
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import BlockEnd, Delta, Snapshot, StreamEvent, Trigger


class Outcome(NamedTuple):
    """How a case came out: how the engine differs from the specification, None if it does not.

    `deferred` and `disabled` are how many answers of a rule were not compared, as the engine reported them so.
    """

    difference: str | None
    deferred: int
    disabled: int


class _Outcome(NamedTuple):
    """The answers to events, and the rules of which the engine reports that there are none.

    Where a rule was deferred and answered later, the answers may come in another order.
    """

    answers: list[Answer]
    deferred: frozenset[str]
    disabled: frozenset[str]
    waited: int = 0


def outcome(seed: int) -> Outcome:
    """How the case with this seed came out.

    Raises `MatchLimitExceeded` where the specification takes more steps than it may.
    """
    random = Random(seed)
    conditions = [[random_condition(random) for _ in range(random.randint(1, 2))] for _ in range(random.randint(1, 4))]
    rules = [rule_of(*of_one, name=f"r{number}") for number, of_one in enumerate(conditions)]
    text = random_text(random)
    deltas = random_deltas(random, text)
    obvious = ObviousMonitor(rules)
    expected = [obvious.stable(text), *_references(obvious, deltas)]
    limits = _limits(seed)
    outcomes = [_stable(random, rules, deltas, limits), *_reference(rules, deltas, limits)]
    without = [item.deferred | item.disabled for item in outcomes]
    answers = [_without(item.answers, rules) for item, rules in zip(outcomes, without, strict=True)]
    expected = [_without(item, rules) for item, rules in zip(expected, without, strict=True)]
    if outcomes[0].waited:
        answers[0].sort()
        expected[0].sort()
    deferred = sum(item.waited + len(item.deferred) for item in outcomes)
    disabled = sum(len(item.disabled) for item in outcomes)
    if answers == expected:
        return Outcome(None, deferred, disabled)
    found = f"seed {seed}: conditions {conditions}, deltas {deltas}\n  found {answers}\n  not  {expected}"
    return Outcome(found, deferred, disabled)


def _without(answers: Sequence[Answer], rules: Container[str]) -> list[Answer]:
    return [answer for answer in answers if answer.rule not in rules]


def _limits(seed: int) -> SearchLimits:
    """Those of a live stream. In every second case short factors count as rare, and little text is kept. In every
    fourth one, also nearly all groups of conditions are deferred, and all rules but one."""
    if seed % 2 == 0:
        return LIVE
    automaton = replace(LIVE.automaton, factor_bits=1.0, kept_units=2 * (seed % 7) + 1, kept_chunks=2)
    if seed % 4 == 1:
        return replace(LIVE, automaton=automaton)
    return replace(LIVE, automaton=replace(automaton, feed_work=seed // 4 % 9), rules=1)


def _stable(random: Random, rules: Sequence[Rule], deltas: Sequence[str], limits: SearchLimits) -> _Outcome:
    monitor = Monitor(RuleSet(tuple(rules)), None, Matching.STABLE, limits=limits)
    answers, waited = stable_answers(monitor, random, deltas)
    assert not monitor.deferred_rules, "at the end of a block, nothing is left open"
    return _outcome_of(monitor, answers)._replace(waited=waited)


def stable_answers(monitor: Monitor, random: Random, deltas: Sequence[str]) -> tuple[list[Answer], int]:
    """What all events of a block trigger, and after how many of them a rule was deferred.

    Some events bring a delta, others a snapshot of all so far.
    """
    triggers: list[Trigger] = []
    deferred = 0
    so_far = ""
    for delta in deltas:
        so_far += delta
        event: StreamEvent = Delta(TEXT, _text(delta))
        if random.random() < 0.2:
            event = Snapshot(TEXT, _text(so_far))
        triggers += monitor.feed(event)
        deferred += bool(monitor.deferred_rules)
    return answers_of([*triggers, *monitor.feed(BlockEnd(TEXT))]), deferred


def _reference(rules: Sequence[Rule], deltas: Sequence[str], limits: SearchLimits) -> list[_Outcome]:
    monitor = Monitor(RuleSet(tuple(rules)), None, Matching.REFERENCE, limits=limits)
    return [_outcome_of(monitor, answers_of(monitor.feed(Delta(TEXT, _text(delta))))) for delta in deltas]


def _outcome_of(monitor: Monitor, answers: list[Answer]) -> _Outcome:
    disabled = frozenset(slow.rule.name for slow in monitor.disabled_conditions)
    return _Outcome(answers, frozenset(monitor.deferred_rules), disabled)


def _references(obvious: ObviousMonitor, deltas: Sequence[str]) -> list[list[Answer]]:
    return [obvious.reference("".join(deltas[: count + 1])) for count in range(len(deltas))]


def answers_of(triggers: Sequence[Trigger]) -> list[Answer]:
    """Triggers in the form of the specification's answers."""
    return [
        Answer(trigger.rule.name, trigger.condition, trigger.start, trigger.end, trigger.offset) for trigger in triggers
    ]


def _text(units: str) -> str:
    """Returns units as text, with surrogate pairs joined."""
    text = units.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    assert to_units(text) == units
    return text


@contextmanager
def _busy(count: int) -> Iterator[None]:
    """Has `count` other processes compute all the time."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def main() -> None:
    """Runs many cases and prints the differences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1, help="of the first case; the others have the next ones")
    parser.add_argument("--busy", type=int, default=0, help="how many processes keep the processors busy meanwhile")
    arguments = parser.parse_args()
    start = time.monotonic()
    found = deferred = disabled = passed_over = 0
    with _busy(arguments.busy):
        for seed in range(arguments.seed, arguments.seed + arguments.cases):
            try:
                came_out = outcome(seed)
            except MatchLimitExceeded:
                passed_over += 1
                continue
            deferred += came_out.deferred
            disabled += came_out.disabled
            if came_out.difference is not None:
                found += 1
                print(came_out.difference, flush=True)
    seconds = time.monotonic() - start
    print(
        f"{arguments.cases} cases in {seconds:.0f} s: {found} differences, {deferred} answers deferred, {disabled} "
        f"disabled, {passed_over} cases passed over"
    )
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
