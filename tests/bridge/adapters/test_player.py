"""A recording is played at its original speed, or at a multiple of it."""

from __future__ import annotations

import json

import pytest

from tests.bridge.watch.watching import MemoryLog, rules, watch
from ttsr_ls.bridge.adapters.player import RecordedLine, RecordingError, load_recording, play_recording, read_recording
from ttsr_ls.session.history.turn_events import (
    ModelCall,
    StepAppended,
    TurnCompleted,
    TurnEnded,
    TurnStarted,
    UserInput,
)

LINES = (RecordedLine(0, b"a\n"), RecordedLine(1000, b"b\n"), RecordedLine(1000, b"c\n"), RecordedLine(4000, b"d\n"))


class FakeTime:
    """A clock that advances only by sleeping and by explicit additions."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 6))
        self.now += seconds


@pytest.mark.parametrize(("speed", "slept"), [(1, [1, 3]), (2, [0.5, 1.5]), (0.5, [2, 6])])
def test_lines_are_played_at_their_recorded_times(speed: float, slept: list[float]) -> None:
    time = FakeTime()
    assert b"".join(play_recording(LINES, speed, time.clock, time.sleep)) == b"a\nb\nc\nd\n"
    assert time.slept == slept


def test_a_slow_reader_gets_overdue_lines_at_once() -> None:
    time = FakeTime()
    for data in play_recording(LINES, 1, time.clock, time.sleep):
        if data == b"a\n":
            time.now += 2.5
    assert time.slept == [1.5]


@pytest.mark.parametrize("line", [b"nonsense", b'{"t": 1}', b'{"t": 1, "line": "text"}'])
def test_a_broken_recording_is_refused(line: bytes) -> None:
    with pytest.raises(RecordingError, match="line 2"):
        read_recording(b'{"t": 0, "line": {"type": "x"}}\n' + line + b"\n")


def test_a_missing_recording_is_refused() -> None:
    with pytest.raises(RecordingError, match="nowhere"):
        load_recording("nowhere")


def test_the_recorded_run_is_a_whole_turn_of_a_real_agent_within_fifteen_seconds() -> None:
    lines = load_recording("claude-demo")
    assert [line.time for line in lines] == sorted(line.time for line in lines)
    assert 5_000 < lines[-1].time <= 15_000
    log = MemoryLog()
    watch(b"".join(line.data for line in lines), log, rules())
    assert isinstance(log.events[2], TurnStarted)
    assert isinstance(log.events[2].trigger, UserInput)
    assert log.events[-1] == TurnEnded("t1", TurnCompleted())
    answers = [event.content for event in log.events if isinstance(event, StepAppended)]
    assert sum(isinstance(step, ModelCall) and step.complete for step in answers) == 3
    first = json.loads(lines[0].data)
    assert (first["claude_code_version"], first["cwd"]) == ("2.1.329", "/home/dev/shop")
