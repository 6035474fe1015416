"""`python -m benchmarks.session`: what it costs to take up a long session and to put an event on record.

The log is generated, always the same one: turns with an answer, a tool call, its result, and a rule that fires. All
figures are processor time but the last, of events that wait for the disk.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ttsr_ls import Session
from ttsr_ls.engine.stream import Source
from ttsr_ls.engine.turn import Completed, ModelCall, ToolBatch, UserInput
from ttsr_ls.engine.turn_events import (
    MAIN_AGENT,
    Excerpt,
    RuleTriggered,
    StepAppended,
    StepUpdated,
    TurnEnded,
    TurnEvent,
    TurnStarted,
)
from ttsr_ls.engine.turn_fold import fold
from ttsr_ls.engine.turn_output import Done, Pending, Text, ToolCall, ToolItem
from ttsr_ls.store.codec import Record, encode_record
from ttsr_ls.store.log_reader import Header, encode_header, read_log
from ttsr_ls.store.turn_log import SYNCED, TurnLog

TURNS = 10_000
RUNS = 5
APPENDED = 20_000
SYNCED_EVENTS = 500
_HEADER = Header("benchmark", "ttsr-ls", "/home/dev/shop", 0, "benchmark")


def turn_events(number: int) -> tuple[TurnEvent, ...]:
    """The six events of a turn."""
    turn, call = f"t{number}", ToolCall(f"c{number}", "bash", f'{{"command": "pytest tests/test_{number}.py"}}')
    said = Text(f"I will run the tests of part {number} and see what they say about the change that was made.")
    excerpt = Excerpt(said.text, 16, 21)
    answer = ModelCall(MAIN_AGENT, "model", (said, call), complete=True)
    return (
        TurnStarted(turn, UserInput(f"Mend part {number}.")),
        RuleTriggered(
            turn,
            0,
            MAIN_AGENT,
            "rule",
            "/r/rule.md",
            "tests",
            0,
            Source.TEXT,
            None,
            None,
            None,
            16,
            21,
            24,
            excerpt,
            False,
        ),
        StepAppended(turn, 0, answer),
        StepAppended(turn, 1, ToolBatch(MAIN_AGENT, (ToolItem(call.id, call.tool, Pending()),))),
        StepUpdated(turn, 1, call.id, Done("12 passed in 0.31s\n" * 10)),
        TurnEnded(turn, Completed()),
    )


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as root:
        path = Path(root, "session.jsonl")
        events = [event for number in range(TURNS) for event in turn_events(number)]
        records = (encode_record(Record(sequence, 0, event)) for sequence, event in enumerate(events, start=1))
        path.write_bytes(encode_header(_HEADER) + b"".join(records))  # Without a sync for each rule that fired.
        print(f"{TURNS} turns, {len(events)} events, {path.stat().st_size / 1e6:.1f} MB")
        print(f"read: {_least(lambda: read_log(path)):.2f} s")
        print(f"fold: {_least(lambda: fold(events)):.2f} s")
        print(f"Session.open: {_least(lambda: asyncio.run(_opened(path))):.2f} s")
        with TurnLog.open(Path(root, "new.jsonl"), _HEADER) as log:
            synced = [event for event in events if isinstance(event, SYNCED)][:SYNCED_EVENTS]
            others = [event for event in events if not isinstance(event, SYNCED)][:APPENDED]
            print(f"append: {_each(log.append, others, time.process_time):.1f} µs")
            print(f"append and sync: {_each(log.append, synced, time.process_time):.1f} µs", end=", ")
            print(f"{_each(log.append, synced, time.perf_counter):.0f} µs by the clock")


async def _opened(path: Path) -> None:
    async with await Session.open(log=path):
        pass


def _least(work: Callable[[], object]) -> float:
    """The processor time of some work in seconds; what comes on top of the least is other work on the same cores."""
    spent = []
    for _ in range(RUNS):
        before = time.process_time()
        work()
        spent.append(time.process_time() - before)
    return min(spent)


def _each(put: Callable[[TurnEvent, int], object], events: list[TurnEvent], clock: Callable[[], float]) -> float:
    """What one event costs in the mean, in microseconds."""
    before = clock()
    for event in events:
        put(event, 0)
    return 1e6 * (clock() - before) / len(events)


if __name__ == "__main__":
    main()
