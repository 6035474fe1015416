"""A session log survives failures of its writer, its file, and its disk."""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path

import pytest

from ttsr_ls.bridge.host.logs import open_log
from ttsr_ls.session.history.turn_events import TurnCompleted, TurnEnded, TurnStarted, UserInput
from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.reader import LogDecoder, LogProblemKind, read_log
from ttsr_ls.store.log.turn_log import LogWriteError, TurnLog

HEADER = Header(session="s1", agent="claude", workspace="/home/dev/shop", started=1_000, writer="test")
EVENTS = (TurnStarted("t1", UserInput("write it")), TurnEnded("t1", TurnCompleted()), TurnStarted("t2", UserInput("…")))


def write(path: Path, count: int = len(EVENTS)) -> None:
    with TurnLog.open(path, HEADER) as log:
        for time, event in enumerate(EVENTS[:count]):
            log.append(event, time)


def test_appended_events_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path)
    content = read_log(path)
    assert content.header == HEADER
    assert [record.event for record in content.records] == list(EVENTS)
    assert [record.sequence for record in content.records] == [1, 2, 3]
    assert content.problems == ()


def test_opening_a_log_returns_the_same_content_as_reading_it(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    for _ in range(2):  # New, then with records.
        log, content = TurnLog.open_with_content(path, HEADER)
        with log:
            assert content == read_log(path)
            log.append(EVENTS[0], 1)
    path.write_bytes(path.read_bytes() + b"?\n" + b'{"torn')
    log, content = TurnLog.open_with_content(path, HEADER)
    with log:
        assert content == read_log(path)
        assert [problem.kind for problem in content.problems] == [LogProblemKind.BROKEN_LINE, LogProblemKind.TORN_END]


def test_opening_a_session_reads_its_log_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.jsonl"
    write(path)
    decoded: list[bytes] = []
    feed = LogDecoder.feed

    def counted(decoder: LogDecoder, data: bytes) -> object:
        decoded.append(data)
        return feed(decoder, data)

    monkeypatch.setattr(LogDecoder, "feed", counted)
    before = path.read_bytes()
    log = open_log(path, tmp_path, 0)
    log.close()
    assert log.events == EVENTS
    assert b"".join(decoded) == before


def test_a_new_log_is_accessible_to_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "state" / "log.jsonl"
    write(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_the_folder_of_a_new_log_is_synced_before_its_first_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it, a power failure loses the synced content of the file."""
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.fstat(descriptor).st_ino))
    path, folder = tmp_path / "log.jsonl", tmp_path.stat().st_ino
    TurnLog.open(path, HEADER).close()
    assert synced == [folder]
    TurnLog.open(path, HEADER).close()
    assert synced == [folder], "the name of an old one is on disk"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux is asked")
def test_long_records_are_written_to_the_disk_before_a_sync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int]] = []

    def advise(descriptor: int, start: int, length: int, advice: int) -> None:
        assert advice == os.POSIX_FADV_DONTNEED  # Linux starts to write the pages then.
        asked.append((start, length))
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    monkeypatch.setattr(os, "posix_fadvise", advise)
    sizes: list[int] = []
    with TurnLog.open(tmp_path / "log.jsonl", HEADER) as log:
        for _ in range(20):
            log.append(TurnStarted("t1", UserInput("x" * 20_000)), 0)
            sizes.append(log.path.stat().st_size)
    starts = [start for start, _ in asked]
    ends = [start + length for start, length in asked]
    assert starts[1:] == ends[:-1], "no byte is written twice"
    assert set(ends) <= set(sizes)
    assert all(65_536 <= length <= 2 * 65_536 for _, length in asked)
    assert len(asked) >= 3


def test_a_link_in_place_of_the_log_is_refused(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    path = tmp_path / "log.jsonl"
    path.symlink_to(victim)
    with pytest.raises(LogWriteError):
        TurnLog.open(path, HEADER)
    assert victim.read_text() == "precious"


def test_a_pipe_in_place_of_the_log_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    os.mkfifo(path)
    with pytest.raises(LogWriteError, match="not a file"):
        TurnLog.open(path, HEADER)


@pytest.mark.parametrize("content", [b"# Notes\n", b"no line end", b'{"name": "shop"}\n', b"\n"])
def test_a_file_that_is_no_log_is_refused_and_unchanged(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "NOTES.md"
    path.write_bytes(content)
    with pytest.raises(LogWriteError, match="is not a session log"):
        TurnLog.open(path, HEADER)
    assert path.read_bytes() == content


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with TurnLog.open(path, HEADER), pytest.raises(LogWriteError, match="another process"):
        TurnLog.open(path, HEADER)
    TurnLog.open(path, HEADER).close()


def test_a_torn_end_is_reported_and_loses_one_record_at_most(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        content = read_log(path)
        finished = whole[:cut].count(b"\n")
        assert len(content.records) == max(finished - 1, 0)
        torn = [problem.kind for problem in content.problems]
        assert torn == ([] if cut == sum(map(len, lines[:finished])) else [LogProblemKind.TORN_END])


def test_a_log_with_a_torn_end_continues_on_a_new_line(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path, 2)
    with path.open("ab") as file:
        file.write(b'{"v":1,"seq":3,"t":2,"eve')
    with TurnLog.open(path, HEADER) as log:
        assert log.append(EVENTS[2], 5).sequence == 3
    content = read_log(path)
    assert [record.event for record in content.records] == list(EVENTS)
    assert [problem.kind for problem in content.problems] == [LogProblemKind.BROKEN_LINE]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b'{"v":1,"seq":3,"t":0,"event":{"kind":3}}', LogProblemKind.BROKEN_LINE),
        (b'{"v":1,"seq":3,"t":0,"event":{"kind":"TurnEnded","turn":7}}', LogProblemKind.BROKEN_LINE),
        (b'{"v":1,"seq":3,"t":0,"event":{"kind":"TurnEnded","turn":"t1"}}', LogProblemKind.BROKEN_LINE),
        (
            b'{"v":1,"seq":true,"t":0,"event":{"kind":"RulesLoaded","rules":[],"matching":""}}',
            LogProblemKind.BROKEN_LINE,
        ),
        (b"[" * 100_000, LogProblemKind.BROKEN_LINE),
        (b"\xff\xfe", LogProblemKind.BROKEN_LINE),
        (b'{"v":1,"seq":' + b"9" * 5000, LogProblemKind.BROKEN_LINE),
        (b'{"v":1,"seq":' + b"9" * 20 + b',"t":0,"event":{"kind":"SessionResumed"}}', LogProblemKind.BROKEN_LINE),
        (b'{"v":1,"seq":0,"t":0,"event":{"kind":"SessionResumed"}}', LogProblemKind.BROKEN_LINE),
        (b'{"name":"shop"}', LogProblemKind.BROKEN_LINE),
        (b"null", LogProblemKind.BROKEN_LINE),
    ],
)
def test_a_broken_line_is_reported_and_other_records_are_kept(
    tmp_path: Path, line: bytes, kind: LogProblemKind
) -> None:
    path = tmp_path / "log.jsonl"
    write(path, 2)
    before = path.read_bytes()
    path.write_bytes(before + line + b"\n")
    with TurnLog.open(path, HEADER) as log:
        log.append(EVENTS[2], 5)
    content = read_log(path)
    assert [record.event for record in content.records] == list(EVENTS)
    assert (content.problems[0].kind, content.problems[0].line) == (kind, 4)
    assert len(content.problems) == 1


def test_a_gap_is_reported_and_the_records_around_it_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2] + lines[3:]))
    content = read_log(path)
    assert [record.sequence for record in content.records] == [1, 3]
    assert [problem.kind for problem in content.problems] == [LogProblemKind.GAP]


@pytest.mark.parametrize("at", [2, 3, 4])
def test_a_copy_of_a_record_is_reported_and_ignored(tmp_path: Path, at: int) -> None:
    path = tmp_path / "log.jsonl"
    write(path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:at], lines[1], *lines[at:], lines[2]]))
    content = read_log(path)
    assert [record.sequence for record in content.records] == [1, 2, 3]
    assert [problem.kind for problem in content.problems] == [LogProblemKind.DUPLICATE] * 2
    assert content.problems[0].message == f"Line {at + 1} repeats record 1 and is ignored."


def test_a_different_record_with_a_used_number_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines, lines[3].replace(b'"t":2', b'"t":9')]))
    assert [record.event for record in read_log(path).records] == [*EVENTS, EVENTS[2]]


def test_a_record_of_a_newer_version_leaves_no_gap(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], lines[2].replace(b"TurnEnded", b"SomethingNewer"), lines[3]]))
    content = read_log(path)
    assert [record.sequence for record in content.records] == [1, 3]
    assert [problem.kind for problem in content.problems] == [LogProblemKind.UNKNOWN_RECORD]


def test_a_missing_header_loses_no_record(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path)
    path.write_bytes(path.read_bytes().split(b"\n", 1)[1])
    content = read_log(path)
    assert content.header is None
    assert len(content.records) == 3
    assert [problem.kind for problem in content.problems] == [LogProblemKind.NO_HEADER]


def test_a_write_truncated_by_a_full_disk_leaves_no_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.jsonl"
    real = os.write
    budget = [10]

    def full_disk(descriptor: int, data: bytes) -> int:
        if not budget[0]:
            raise OSError(28, "No space left on device")
        written = real(descriptor, data[: budget[0]])
        budget[0] -= written
        return written

    with TurnLog.open(path, HEADER) as log:
        log.append(EVENTS[0], 0)
        with monkeypatch.context() as patched:
            patched.setattr(os, "write", full_disk)
            with pytest.raises(LogWriteError, match="No space left"):
                log.append(EVENTS[1], 1)
        assert log.append(EVENTS[1], 2).sequence == 2
    content = read_log(path)
    assert [record.event for record in content.records] == list(EVENTS[:2])


def test_a_log_whose_file_is_deleted_accepts_no_more_records(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with TurnLog.open(path, HEADER) as log:
        log.append(EVENTS[0], 0)
        path.unlink()
        for event in EVENTS[1:]:
            with pytest.raises(LogWriteError, match="takes nothing more, because its file was deleted; start again"):
                log.append(event, 1)
        assert log.sequence == 1
    assert not path.exists()


def test_a_log_whose_file_is_moved_is_continued_at_the_new_path(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with TurnLog.open(path, HEADER) as log:
        log.append(EVENTS[0], 0)
        path.rename(tmp_path / "moved.jsonl")
        log.append(EVENTS[1], 1)
    assert [record.event for record in read_log(tmp_path / "moved.jsonl").records] == list(EVENTS[:2])
