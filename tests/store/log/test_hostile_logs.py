"""Logs with very many broken lines, or with endless ones, are read quickly and without losing records."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.processor_time import processor_time_below
from ttsr_ls.session.history.turn_events import StreamMatchingEnded
from ttsr_ls.store.log.codec import Record, encode_record
from ttsr_ls.store.log.follow import LogFollower
from ttsr_ls.store.log.header import Header, encode_header
from ttsr_ls.store.log.reader import MAX_BROKEN, LogProblemKind, read_log

HEADER = encode_header(Header("s", "claude", "/work", 0, "test"))
RECORD = encode_record(Record(1, 0, StreamMatchingEnded("main", "text")))
COUNT = 300_000
SECONDS = 0.6
"""Of processor time; the first three took 1.2 to 2.4 s."""

LOGS = {
    "objects": b"{}\n" * COUNT,
    "letters": b"x\n" * COUNT,
    "torn lines": b"\x18\n" * COUNT,
    "blank lines": b"\n" * COUNT,
    "a long line": b"x" * 40_000_000 + b"\n",
    "a nested line": b"[" * 20_000_000 + b"\n",
}


@pytest.mark.parametrize("lines", LOGS.values(), ids=LOGS)
def test_a_hostile_log_is_read_within_a_time_limit(lines: bytes, tmp_path: Path) -> None:
    path = tmp_path / "20261122T000000Z-s.jsonl"
    path.write_bytes(HEADER + lines + RECORD)
    with processor_time_below(SECONDS):
        content = read_log(path)
    assert [record.sequence for record in content.records] == [1]
    assert len(content.problems) <= MAX_BROKEN
    with processor_time_below(SECONDS):
        follower = LogFollower(tmp_path)
        followed: list[int] = []
        while followed == [] or follower.has_more:
            followed += [event.record.sequence for event in follower.poll()] or [0]
    assert followed[-1] == 1


def test_the_last_reported_broken_line_mentions_that_more_are_not_reported(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(HEADER + b"x\n" * (2 * MAX_BROKEN))
    problems = read_log(path).problems
    assert len(problems) == MAX_BROKEN
    assert {problem.kind for problem in problems} == {LogProblemKind.BROKEN_LINE}
    assert "further broken lines are not reported" in problems[-1].message
