"""Measures deltas through `Monitor.feed`, with the making of the event, in the process that imports this."""

from __future__ import annotations

import gc
import re
import resource
import time
from collections.abc import Callable, Sequence
from functools import _lru_cache_wrapper, cache
from pathlib import Path

from msgspec import Struct

from benchmarks.adversarial import SETS
from benchmarks.machine import Machine
from benchmarks.measuring import Cost, cost_of, pieces
from benchmarks.real_conditions import real_conditions
from benchmarks.real_texts import KINDS, real_text
from benchmarks.rule_sets import rule_set, with_early_matches
from ttsr_ls.bridge.watch.prewarming import prewarming_text
from ttsr_ls.matching.collector import freeze_live_objects
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.matching.streams.automaton_matcher import AutomatonMatcher
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.rules.stream import BlockEnd, Delta, Source, StreamContext

DELTA = 16
FIRST_MESSAGE = 2_000
LENGTH = 40_000
EARLY = 20
"""As much as `ttsr-ls watch` prewarms with."""
_SECONDS = 2.0
"""The most that one figure may take; of the longest texts of the slowest rule sets, only the start is measured."""


@cache
def _machine() -> Machine:
    """Made when the first figure is measured, as it takes half a second."""
    return Machine()


class Row(Struct, frozen=True):
    """What one rule set costs on one kind of text.

    `cold` is a first pass, `warm` a second one, over other text of the kind, in which `fired` rules fired. `automaton`
    is the median of the second pass without the monitor.
    """

    cold: Cost
    warm: Cost
    fired: int
    automaton: float


class First(Struct, frozen=True):
    """The first message of a session that was prewarmed as `ttsr-ls watch` does it, and the seconds that took."""

    message: Cost
    prewarming: float


class Session:
    """A monitor with counted triggers, which feeds one stream at a time. Nothing is known of earlier sessions."""

    def __init__(self, conditions: Sequence[str], *, prewarmed: bool) -> None:
        _forget()
        rules = rule_set(conditions)
        self._monitor = Monitor(rules)
        before = time.thread_time()
        if prewarmed:
            self._monitor.prewarm(prewarming_text(rules.rules))
        self.prewarming = time.thread_time() - before
        freeze_live_objects()
        self.fired = 0
        self._keys: list[str] = []

    @property
    def disabled(self) -> int:
        """How many conditions were disabled, once their streams have ended."""
        for key in self._keys:
            self._monitor.feed(BlockEnd(StreamContext(Source.TEXT, key=key)))
        return len(self._monitor.disabled_conditions)

    def stream(self, key: str) -> Callable[[str], None]:
        """Starts a stream; what is returned feeds it."""
        context = StreamContext(Source.TEXT, key=key)
        feed = self._monitor.feed
        self._keys.append(key)
        self.fired = 0

        def one(text: str) -> None:
            fired = feed(Delta(context, text))
            if fired:
                self.fired += len(fired)

        return one


def measure_first(count: int, kind: str) -> First:
    """The first message for `count` conditions that rarely match."""
    messages, prewarmings = [], []
    for at in range(1 if count > 100 else 3):
        session = Session(real_conditions(count, rare=True), prewarmed=True)
        prewarmings.append(session.prewarming)
        message = real_text(kind)[at * FIRST_MESSAGE :][:FIRST_MESSAGE]
        messages.append(cost_of(session.stream("first"), pieces(message, DELTA), _machine(), _SECONDS))
    return First(_middle(messages), min(prewarmings))


def measure_row(count: int, kind: str, *, rare: bool) -> Row:
    """A row for `count` conditions of a seeded sample.

    The warm pass is prewarmed and frozen, as in all programs of users; so is the cold one of conditions that often
    match: without that, its greatest delta is a full pass of Python's collector.
    """
    conditions = real_conditions(count, rare=rare)
    parts = [real_text(kind, part)[:LENGTH] for part in (0, 1)]
    session = Session(conditions, prewarmed=not rare)
    cold = cost_of(session.stream("cold"), pieces(parts[0], DELTA), _machine(), _SECONDS)
    if rare:
        session = _warmed(conditions, parts[0])
    warm = cost_of(session.stream("warm"), pieces(parts[1], DELTA), _machine(), _SECONDS)
    return Row(cold, warm, session.fired, _automaton(conditions, parts))


def measure_after_firing(count: int, kind: str) -> tuple[Cost, int, float]:
    """The cost after about `EARLY` rules fired in the stream, how many did, and the median without a monitor."""
    parts = [real_text(kind, part)[:LENGTH] for part in (0, 1)]
    conditions = with_early_matches(count, EARLY, parts[1])
    session = _warmed(conditions, parts[0])
    feed = session.stream("measured")
    # What matches where the chosen conditions were tried need not be final there.
    before = LENGTH // 4
    for piece in pieces(parts[1][:before], DELTA):
        feed(piece)
    fired = session.fired
    return cost_of(feed, pieces(parts[1][before:], DELTA), _machine(), _SECONDS), fired, _automaton(conditions, parts)


def _warmed(conditions: Sequence[str], text: str) -> Session:
    """A session that was prewarmed and has seen a text."""
    session = Session(conditions, prewarmed=True)
    feed = session.stream("earlier")
    for piece in pieces(text, DELTA):
        feed(piece)
    return session


def measure_adversarial(name: str) -> tuple[Cost, int, int]:
    """The cost of deltas for a set of `adversarial`, of how many deltas, and how many conditions were disabled."""
    chosen = SETS[name]()
    session = Session(chosen.conditions, prewarmed=True)
    cost = cost_of(session.stream("text"), pieces(chosen.text, DELTA), _machine(), _SECONDS)
    return cost, -(-len(chosen.text) // DELTA), session.disabled


def peak_memory(count: int) -> int:
    """The most memory in MB that this process ever took, after it streamed both texts of each kind."""
    session = Session(real_conditions(count, rare=True), prewarmed=True)
    for kind in KINDS:
        for part in (0, 1):
            feed = session.stream(f"{kind}{part}")
            for piece in pieces(real_text(kind, part)[:LENGTH], DELTA):
                feed(piece)
    status = Path("/proc/self/status")
    if status.exists():
        # On Linux, `ru_maxrss` counts what the process that started this one had.
        found = re.search(r"VmHWM:\s*([0-9]+) kB", status.read_text())
        if found is not None:
            return int(found[1]) // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _automaton(conditions: Sequence[str], parts: Sequence[str]) -> float:
    watcher = AutomatonMatcher([compile_condition(condition) for condition in conditions])
    stream = watcher.open()
    for piece in pieces(parts[0], DELTA):
        stream.append(piece)
    stream = watcher.open()

    def feed(text: str) -> None:
        stream.append(text)
        stream.final_conditions  # noqa: B018

    return cost_of(feed, pieces(parts[1], DELTA), _machine(), _SECONDS).median


def _forget() -> None:
    """Empties what modules of the engine remember: compiled conditions, say."""
    gc.unfreeze()
    gc.collect()
    for each in gc.get_objects():
        if isinstance(each, _lru_cache_wrapper) and each.__module__.startswith("ttsr_ls"):
            each.cache_clear()
    gc.collect()


def _middle(costs: Sequence[Cost]) -> Cost:
    """The middle of several measurements; of the greatest figures the greatest."""
    middle = len(costs) // 2
    return Cost(
        sorted(cost.median for cost in costs)[middle],
        sorted(cost.p99 for cost in costs)[middle],
        max(cost.greatest for cost in costs),
        min(cost.counted for cost in costs),
        sum(cost.deltas for cost in costs),
    )
