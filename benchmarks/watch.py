"""`python -m benchmarks.watch`: what `ttsr-ls watch` takes for an event of an agent, and each part of the work.

An event is a line. Each part is measured by leaving the later ones out: splitting and JSON, the adapter, the monitor,
the log. Rules that fire are left out, as reporting them is not what is measured.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from benchmarks.real_conditions import real_conditions
from benchmarks.recorded_run import recorded_run
from benchmarks.rule_sets import rule_set
from ttsr_ls.bridge.adapters.claude.adapter import ClaudeAdapter
from ttsr_ls.bridge.adapters.claude.lines import parse_delta_line
from ttsr_ls.bridge.adapters.lines import LineSplitter
from ttsr_ls.bridge.watch.event_log import EventLog
from ttsr_ls.bridge.watch.notices import TriggerNotice
from ttsr_ls.bridge.watch.null_log import NullLog
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.bridge.wire.json_lines import parse_object
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect
from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.turn_log import TurnLog

_CHUNK = 64 * 1024
_RUNS = 3
_MAX_MICROSECONDS = 15.0
_MIN_SPEED = 30.0
_INPUTS = (("2 KB", 60, 2_000), ("20 KB", 12, 20_000), ("100 KB", 3, 100_000))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.watch", description=__doc__)
    parser.add_argument("--rules", type=int, default=100)
    arguments = parser.parse_args()
    print(f"{arguments.rules} rules; processor time in µs an event, the least of {_RUNS} runs\n")
    print("| each turn writes | MB | events | JSON | adapter | monitor | log | all | MB/s | limits |")
    print("| --- |" + " ---: |" * 8 + " --- |")
    for name, turns, written in _INPUTS:
        output = recorded_run(turns, written)
        chunks = [output[at : at + _CHUNK] for at in range(0, len(output), _CHUNK)]
        print(_row(name, chunks, arguments.rules), flush=True)
        if written == _INPUTS[0][2]:
            # As from an agent that is at work, where a line comes at a time.
            print(_row(f"{name}, line by line", output.splitlines(keepends=True), arguments.rules), flush=True)


def _row(name: str, chunks: list[bytes], count: int) -> str:
    size = sum(map(len, chunks))
    events = sum(chunk.count(b"\n") for chunk in chunks)
    rules = _silent_rules(chunks, count)
    stages: list[Callable[[], float]] = [
        lambda: _seconds(_read_json, chunks),
        lambda: _seconds(_adapt, chunks),
        lambda: _seconds(_observer(rules, NullLog()), chunks),
        lambda: _with_log(rules, chunks),
    ]
    totals = [1e6 * min(stage() for _ in range(_RUNS)) / events for stage in stages]
    parts = [after - before for before, after in zip([0.0, *totals], totals, strict=False)]
    speed = size / events / totals[-1]
    # An agent that is at work writes some kilobytes a second: there, only the time of an event counts.
    kept = totals[-1] < _MAX_MICROSECONDS and (speed >= _MIN_SPEED or len(chunks) == events)
    shown = " | ".join(f"{part:.2f}" for part in [*parts, totals[-1]])
    return f"| {name} | {size / 1e6:.1f} | {events} | {shown} | {speed:.0f} | {'kept' if kept else 'BROKEN'} |"


def _seconds(work: Callable[[Iterable[bytes]], None], chunks: list[bytes]) -> float:
    gc.collect()
    gc.freeze()
    before = time.process_time()
    work(chunks)
    return time.process_time() - before


def _read_json(chunks: Iterable[bytes]) -> None:
    splitter = LineSplitter()
    for chunk in chunks:
        for line in splitter.feed(chunk):
            assert isinstance(line, bytes)
            if parse_delta_line(line) is None:
                parse_object(line)


def _adapt(chunks: Iterable[bytes]) -> None:
    adapter = ClaudeAdapter()
    for chunk in chunks:
        adapter.feed(chunk)
    adapter.finish()


def _observer(rules: RulesByDialect, log: EventLog) -> Callable[[Iterable[bytes]], None]:
    observer = Observer(lambda _: rules, log, settings=Settings(), matching=Matching.STABLE)
    observer.start(0)
    observer.prewarm("\n".join(rule.body for rule in rules.rules)[:50_000])
    adapter = ClaudeAdapter()

    def observe(chunks: Iterable[bytes]) -> None:
        for chunk in chunks:
            observer.feed(adapter.feed(chunk), 0)
        observer.feed(adapter.finish(), 0)

    return observe


def _with_log(rules: RulesByDialect, chunks: list[bytes]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "session.jsonl")
        with TurnLog.open_with_content(path, Header("s", "claude", folder, 0, "benchmark"))[0] as log:
            return _seconds(_observer(rules, log), chunks)


def _silent_rules(chunks: list[bytes], count: int) -> RulesByDialect:
    """Rules with real conditions of which none fires on this output."""
    rules = rule_set(real_conditions(count + count // 5, rare=True), scope="text, thinking, tool")
    observer = Observer(lambda _: RulesByDialect(rules), NullLog(), settings=Settings(), matching=Matching.STABLE)
    adapter = ClaudeAdapter()
    fired = {
        notice.rule.name
        for chunk in chunks
        for notice in observer.feed(adapter.feed(chunk), 0)
        if isinstance(notice, TriggerNotice)
    }
    silent = [rule.condition_texts[0] for rule in rules.rules if rule.name not in fired]
    return RulesByDialect(rule_set(silent[:count], scope="text, thinking, tool"))


if __name__ == "__main__":
    main()
