"""Records out of order are reported and ignored, and no writer continues such a log."""

from __future__ import annotations

import asyncio
from itertools import combinations
from pathlib import Path

import pytest

from ttsr_ls.bridge.host.session import Session
from ttsr_ls.bridge.mcp.stored_tasks import StoredTasks
from ttsr_ls.session.history.turn_events import TurnCompleted, TurnEnded, TurnStarted, UserInput
from ttsr_ls.store.log.codec import LAST_SEQUENCE
from ttsr_ls.store.log.errors import LogNotUnderstoodError, LogWriteError
from ttsr_ls.store.log.follow import LogFollower
from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.reader import MAX_BROKEN, LogDecoder, LogProblemKind, read_log
from ttsr_ls.store.log.turn_log import TurnLog

HEADER = Header(session="s1", agent="ttsr-ls", workspace="/home/dev/shop", started=1_000, writer="test")
EVENTS = tuple(
    event
    for turn in ("t1", "t2", "t3")
    for event in (TurnStarted(turn, UserInput("go")), TurnEnded(turn, TurnCompleted()))
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A log of six records, in a folder of its own."""
    path = tmp_path / "logs" / "20261122T063000Z-s1.jsonl"
    with TurnLog.open(path, HEADER) as log:
        for event in EVENTS:
            log.append(event, 0)
    return path


def swap(path: Path, one: int, other: int) -> None:
    """Swaps two records, by number."""
    lines = path.read_bytes().splitlines(keepends=True)
    lines[one], lines[other] = lines[other], lines[one]
    path.write_bytes(b"".join(lines))


@pytest.mark.parametrize(("one", "other"), [*combinations(range(1, 7), 2)])
def test_records_after_one_with_a_higher_number_are_ignored(path: Path, one: int, other: int) -> None:
    swap(path, one, other)
    content = read_log(path)
    order = [number for number in range(1, 7) if number < one or number > other]
    assert [record.sequence for record in content.records] == sorted([*order, other])
    disorder = [problem for problem in content.problems if problem.kind is LogProblemKind.DISORDER]
    assert len(disorder) == other - one
    assert disorder[-1].message == f"Line {other + 1} has record {one} after record {other} and is ignored."
    follower = LogFollower(path.parent)
    assert tuple(event.record for event in follower.poll()) == content.records
    data = path.read_bytes()
    decoder = LogDecoder()
    assert tuple(record for unit in data for record in decoder.feed(bytes([unit]))[0]) == content.records


@pytest.mark.parametrize(("one", "other"), [(1, 2), (3, 5), (5, 6)])
def test_a_log_with_records_out_of_order_is_refused_and_unchanged(path: Path, one: int, other: int) -> None:
    swap(path, one, other)
    before = path.read_bytes()
    with pytest.raises(LogNotUnderstoodError) as caught:
        TurnLog.open(path, HEADER)
    assert f"Line {one + 2} has record" in str(caught.value)
    assert str(caught.value).endswith(
        'put its lines in the order of "seq" to continue this log, or name another file to begin a new one'
    )
    with pytest.raises(LogNotUnderstoodError):
        asyncio.run(Session.open(log=path))
    with pytest.raises(LogNotUnderstoodError):
        StoredTasks.open(path, HEADER, lambda: 0)
    assert path.read_bytes() == before
    swap(path, one, other)
    with TurnLog.open(path, HEADER) as log:
        assert log.sequence == 6


def test_records_of_another_version_are_checked_for_order(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    newer = b'{"v":2,"seq":9,"t":0,"event":{"kind":"SomethingNewer"}}\n'
    path.write_bytes(b"".join([*lines[:2], newer, *lines[2:]]))
    content = read_log(path)
    assert [record.sequence for record in content.records] == [1]
    assert sum(problem.kind is LogProblemKind.DISORDER for problem in content.problems) == 5


def test_reports_of_records_out_of_order_are_limited(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    out_of_order = [lines[1].replace(b'"t":0', b'"t":%d' % time) for time in range(1, 3 * MAX_BROKEN)]
    path.write_bytes(b"".join([*lines, *out_of_order]))
    content = read_log(path)
    assert len(content.records) == 6
    assert len(content.problems) == MAX_BROKEN


@pytest.mark.parametrize("number", [LAST_SEQUENCE - 1, LAST_SEQUENCE])
def test_a_log_with_the_highest_number_is_refused_with_advice(path: Path, number: int) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    lines[-1] = lines[-1].replace(b'"seq":6', b'"seq":%d' % number)
    path.write_bytes(b"".join(lines))
    expected = (
        f"cannot write the session log {path}: its last record has the highest number that there is, 9007199254740992; "
        "name another file to begin a new log"
    )
    before = path.read_bytes()
    with pytest.raises(LogWriteError) as caught:
        TurnLog.open(path, HEADER).append(EVENTS[0], 0) if number == LAST_SEQUENCE else _append_two(path)
    assert str(caught.value) == expected
    assert path.read_bytes().startswith(before)


def _append_two(path: Path) -> None:
    with TurnLog.open(path, HEADER) as log:
        for event in EVENTS[:2]:
            log.append(event, 0)
