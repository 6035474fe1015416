"""A line that a crash or a full disk tore at any byte is never a record, for any reader."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.store.failing_disk import FailingDisk, FailingSync, on_disk, with_sync
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_events import (
    Excerpt,
    FeatureRecorded,
    InjectionDeferred,
    RuleTriggered,
    SessionResumed,
    TurnCompleted,
    TurnEnded,
    TurnEvent,
    TurnStarted,
    UserInput,
)
from ttsr_ls.store.log.follow import LogFollower
from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.reader import LogDecoder, LogProblemKind, read_log
from ttsr_ls.store.log.session_dirs import session_file
from ttsr_ls.store.log.turn_log import SYNCED, LogWriteError, TurnLog

HEADER = Header(session="s1", agent="claude", workspace="/home/dev/shop", started=1_000, writer="test")
LATER = Header(session="s1", agent="claude", workspace="/home/dev/shop", started=2_000, writer="later")
EVENTS: tuple[TurnEvent, ...] = (
    TurnStarted("t1", UserInput('say "déjà vu" 😀\n\x18')),
    FeatureRecorded("tasks", '{"a":"}"}'),
    TurnEnded("t1", TurnCompleted()),
)
MORE: tuple[TurnEvent, ...] = (SessionResumed(), TurnStarted("t2", UserInput("half \ud83d of it")))


def followed(follower: LogFollower) -> list[TurnEvent]:
    return [event.record.event for event in follower.poll()]


def read_by_all(path: Path, follower: LogFollower, seen: list[TurnEvent]) -> list[TurnEvent]:
    """The events of a log, on which all kinds of readers agree. `seen` are those that `follower` returned before."""
    content = read_log(path)
    events = [record.event for record in content.records]
    assert [record.sequence for record in content.records] == list(range(1, len(events) + 1))
    assert not [problem for problem in content.problems if problem.kind is LogProblemKind.GAP]
    assert seen + followed(follower) == events
    bytewise = LogDecoder()
    data = path.read_bytes()
    one_by_one = [record for position in range(len(data)) for record in bytewise.feed(data[position : position + 1])[0]]
    assert tuple(one_by_one) == content.records
    decoder = LogDecoder.joining(data)
    assert decoder.header == content.header
    assert tuple(decoder.feed(data[data.index(b"\n") + 1 :])[0]) == content.records
    return events


def append_all(log: TurnLog, events: tuple[TurnEvent, ...]) -> list[TurnEvent]:
    """Appends the events that the log accepts, and returns them."""
    taken = []
    for time, event in enumerate(events):
        try:
            log.append(event, time)
        except LogWriteError:
            continue
        taken.append(event)
    return taken


@pytest.fixture(autouse=True)
def _fast_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skips syncs, which take most of the time: no test here simulates a power failure."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.fixture
def whole(tmp_path: Path) -> bytes:
    path = tmp_path / "whole.jsonl"
    with TurnLog.open(path, HEADER) as log:
        append_all(log, EVENTS)
    return path.read_bytes()


def test_a_log_truncated_at_any_byte_is_continued_without_the_torn_line(tmp_path: Path, whole: bytes) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    for cut in range(len(whole) + 1):
        path = session_file(folder, 1_000, str(cut))
        path.write_bytes(whole[:cut])
        complete = max(whole[:cut].count(b"\n") - 1, 0)
        expected = [*EVENTS[:complete]]
        follower = LogFollower(folder)
        seen = followed(follower)
        assert seen == expected
        for _ in range(2):
            log, content = TurnLog.open_with_content(path, LATER)
            with log:
                assert [record.event for record in content.records] == expected
                assert content.header == (HEADER if whole[:cut].count(b"\n") else LATER)
                append_all(log, MORE)
            expected += MORE
            seen = read_by_all(path, follower, seen)
            assert seen == expected
        assert read_log(path).header == (HEADER if whole[:cut].count(b"\n") else LATER)
        path.unlink()


@pytest.mark.parametrize("failures", [1, 2, 3])
def test_a_disk_failure_at_any_byte_leaves_exactly_the_appended_records(
    tmp_path: Path, whole: bytes, failures: int
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    first_line = whole.index(b"\n") + 1
    lost_count = 0
    for room in range(first_line, len(whole) + 40):
        path = session_file(folder, 1_000, str(room))
        follower = LogFollower(folder)
        with on_disk(FailingDisk(room, failures)), TurnLog.open(path, HEADER) as log:
            taken = append_all(log, EVENTS)
            seen = read_by_all(path, follower, []) if path.read_bytes().count(b"\n") else []
            assert seen == taken
            taken += append_all(log, MORE)
        lost_count += len(EVENTS) + len(MORE) - len(taken)
        assert read_by_all(path, follower, seen) == taken
        with TurnLog.open(path, LATER) as log:
            assert log.sequence == len(taken)
            taken += append_all(log, MORE)
        assert read_by_all(path, LogFollower(folder), []) == taken
        path.unlink()
    assert lost_count > 100


def test_a_disk_failure_within_the_header_leaves_a_usable_file(tmp_path: Path, whole: bytes) -> None:
    first_line = whole.index(b"\n") + 1
    for room in range(first_line):
        path = tmp_path / f"{room}.jsonl"
        with on_disk(FailingDisk(room, 1)):
            with pytest.raises(LogWriteError, match="No space left on device; free some space"):
                TurnLog.open(path, HEADER)
            with TurnLog.open(path, LATER) as log:
                assert append_all(log, EVENTS) == list(EVENTS)
        content = read_log(path)
        assert content.header == LATER
        assert [record.event for record in content.records] == list(EVENTS)
        old = path.read_bytes()
        assert LogDecoder.joining(old).header == LATER


def test_partial_writes_of_single_bytes_give_the_same_file(
    tmp_path: Path, whole: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:1]))
    path = tmp_path / "slow.jsonl"
    with TurnLog.open(path, HEADER) as log:
        append_all(log, EVENTS)
    assert path.read_bytes() == whole


def test_a_write_of_zero_bytes_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with TurnLog.open(tmp_path / "log.jsonl", HEADER) as log:
        monkeypatch.setattr(os, "write", lambda descriptor, data: 0)
        with pytest.raises(LogWriteError, match="Input/output"):
            log.append(EVENTS[0], 1)


DAMAGED: list[tuple[str, Callable[[list[bytes]], bytes]]] = [
    ("torn and ended", lambda lines: lines[0][:20] + b"\n" + b"".join(lines[1:])),
    ("torn in its key and continued", lambda lines: lines[0][:5] + b"\x18\n" + b"".join(lines[1:])),
    ("zeros", lambda lines: b"\0" * 4096),
    ("zeros in its place", lambda lines: b"\0" * len(lines[0]) + b"\n" + b"".join(lines[1:])),
    ("garbage", lambda lines: b"\xff?!\n" + b"".join(lines[1:])),
    ("an empty line", lambda lines: b"\n" + b"".join(lines[1:])),
    ("not there", lambda lines: b"".join(lines[1:])),
]


@pytest.mark.parametrize(("how", "damage"), DAMAGED, ids=[how for how, _ in DAMAGED])
def test_a_damaged_header_loses_no_record_and_is_replaced(
    tmp_path: Path, whole: bytes, how: str, damage: Callable[[list[bytes]], bytes]
) -> None:
    path = session_file(tmp_path, 1_000, "a")
    path.write_bytes(damage(whole.splitlines(keepends=True)))
    valid = [] if how == "zeros" else list(EVENTS)
    for _ in range(2):
        log, content = TurnLog.open_with_content(path, LATER)
        with log:
            assert [record.event for record in content.records] == valid
            valid += append_all(log, MORE)
        assert read_log(path).header == LATER
        assert [record.event for record in read_log(path).records] == valid
    assert path.read_bytes().count(b"ttsr-log") <= 2, "one header is added, and not one each time"


def test_a_failed_sync_removes_the_record_and_ends_the_log(tmp_path: Path) -> None:
    path = session_file(tmp_path, 1_000, "a")
    follower = LogFollower(tmp_path)
    with TurnLog.open(path, HEADER) as log:
        log.append(EVENTS[0], 0)
        with with_sync(FailingSync(1)), pytest.raises(LogWriteError, match="Input/output error; check the disk"):
            log.append(EVENTS[1], 0)
        with pytest.raises(LogWriteError, match=r"takes nothing more, because .* then start again"):
            log.append(EVENTS[2], 0)
    with TurnLog.open(path, HEADER) as log:
        log.append(EVENTS[2], 0)
    assert read_by_all(path, follower, []) == [EVENTS[0], EVENTS[2]]


def test_a_failed_sync_removes_all_records_that_it_was_about(tmp_path: Path) -> None:
    path = session_file(tmp_path, 1_000, "a")
    follower = LogFollower(tmp_path)
    with TurnLog.open(path, HEADER) as log:
        log.write(EVENTS[0], 0)
        for event in (EVENTS[1], *MORE):
            log.write(event, 0)
        with with_sync(FailingSync(1)) as sync, pytest.raises(LogWriteError, match="Input/output error"):
            log.sync()
        log.sync()
        assert (sync.calls, log.sequence) == (1, 1)
        with pytest.raises(LogWriteError, match="takes nothing more"):
            log.write(EVENTS[2], 0)
    assert read_by_all(path, follower, []) == [EVENTS[0]]


def test_one_sync_covers_all_records_before_it(tmp_path: Path) -> None:
    with TurnLog.open(tmp_path / "log.jsonl", HEADER) as log, with_sync(FailingSync(10**9)) as sync:
        log.write(EVENTS[0], 0)
        log.sync()
        assert sync.calls == 0, "no event needs a sync"
        for event in (EVENTS[1], EVENTS[2], EVENTS[1]):
            log.write(event, 0)
        assert sync.calls == 0
        log.sync()
        log.sync()
        assert sync.calls == 1


def test_a_follower_rereads_the_log_after_a_record_with_a_failed_sync(tmp_path: Path) -> None:
    path = session_file(tmp_path, 1_000, "a")
    follower = LogFollower(tmp_path)
    seen: list[TurnEvent] = []

    def sync(_: int) -> None:
        seen.extend(followed(follower))
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with TurnLog.open(path, HEADER) as log, pytest.MonkeyPatch.context() as patched:
        log.append(EVENTS[0], 0)
        patched.setattr(os, "fsync", sync)
        with pytest.raises(LogWriteError):
            log.append(EVENTS[1], 0)
    assert seen == [EVENTS[0], EVENTS[1]]
    with TurnLog.open(path, HEADER) as log:  # The file grows beyond the follower's offset before the next poll.
        written = append_all(log, (*MORE, *MORE))
    assert followed(follower) == [EVENTS[0], *written]
    assert follower.take_problems() == ()


def test_only_events_with_visible_effects_are_synced(tmp_path: Path) -> None:
    trigger = RuleTriggered(
        "t1", 1, "main", "r", "/r.md", "x", 0, Source.TEXT, None, None, None, 0, 1, 1, Excerpt("x", 0, 1), True
    )
    deferred = InjectionDeferred("t1", 1, "main", ("r",))
    with TurnLog.open(tmp_path / "log.jsonl", HEADER) as log, with_sync(FailingSync(10**9)) as sync:
        for event, synced in ((EVENTS[0], 0), (trigger, 1), (deferred, 1), (EVENTS[1], 2), (EVENTS[2], 2)):
            log.append(event, 0)
            assert sync.calls == synced
            assert isinstance(event, SYNCED) is (event in (trigger, EVENTS[1]))
