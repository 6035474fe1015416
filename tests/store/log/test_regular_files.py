"""Only regular files are read: a pipe or a device in place of a file neither blocks nor exhausts the memory."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest

from ttsr_ls.cli.rule_paths import rule_paths
from ttsr_ls.store.discovery.scan_tree import MAX_SCANNED_BYTES, UnreadFile, UnreadReason, read_text
from ttsr_ls.store.files.bounded_file import MAX_RULE_BYTES, RuleUnreadableError, open_regular, read_bytes, read_file
from ttsr_ls.store.log.follow import LogFollower
from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.reader import read_log
from ttsr_ls.store.log.session_dirs import Retention, prune
from ttsr_ls.store.log.turn_log import LogWriteError, TurnLog
from ttsr_ls.store.settings.baseline import BaselineError, read_baseline

NAME = "20260101T000000Z-a.jsonl"
HEADER = Header("s", "a", "/w", 0, "test")


@pytest.fixture(autouse=True)
def _limit() -> Iterator[None]:
    """Ends a test that waits for a pipe or reads a device to its end."""

    def too_long(number: int, frame: FrameType | None) -> None:
        raise AssertionError("reading waits")

    before = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(10)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def fifo(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def link_to_fifo(path: Path) -> None:
    os.mkfifo(path.with_name("pipe"))
    path.symlink_to("pipe")


@pytest.mark.parametrize("make", [fifo, device, link_to_fifo, Path.mkdir])
def test_only_regular_files_are_read(tmp_path: Path, make: Callable[[Path], None]) -> None:
    path = tmp_path / NAME
    make(path)
    with pytest.raises(RuleUnreadableError):
        read_file(path)
    with pytest.raises(BaselineError):
        read_baseline(path)
    with pytest.raises(OSError, match=r"not a file|directory"):
        read_log(path)
    with pytest.raises(OSError, match=r"not a file|directory"):
        read_bytes(path, 1)
    unread = read_text(str(path), 0)
    assert isinstance(unread, UnreadFile)
    assert unread.reason is UnreadReason.UNREADABLE
    assert unread.detail is not None
    assert LogFollower(tmp_path).poll() == ()
    assert prune(tmp_path, Retention(days=0), 2**60) == ()
    with pytest.raises(LogWriteError):
        TurnLog.open(path, HEADER)


@pytest.mark.parametrize("make", [fifo, device])
def test_a_pipe_that_replaces_a_file_after_its_check_does_not_block(
    tmp_path: Path, make: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = tmp_path / "a.md"
    make(rule)
    monkeypatch.setattr(Path, "is_file", lambda path: True)
    assert list(rule_paths([str(tmp_path)])) == []


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b", "x" * 5000])
def test_an_impossible_file_name_raises_os_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(OSError):  # noqa: PT011 - whichever the system says
        open_regular(tmp_path / name)
    with pytest.raises(RuleUnreadableError, match="cannot read"):
        read_file(tmp_path / name)


def test_files_are_read_up_to_the_size_limit(tmp_path: Path) -> None:
    sparse = tmp_path / "sparse.md"
    with sparse.open("wb") as file:
        file.truncate(3 * 1024**3)
    with pytest.raises(RuleUnreadableError, match="larger than"):
        read_file(sparse)
    with pytest.raises(BaselineError, match="larger than"):
        read_baseline(sparse)
    assert len(read_bytes(sparse, MAX_RULE_BYTES)) == MAX_RULE_BYTES
    for maximum in (0, 1, MAX_SCANNED_BYTES, 4 * 1024**3):
        assert read_text(str(sparse), maximum) == UnreadFile(UnreadReason.LARGE)


def test_a_size_limit_of_zero_means_the_maximum(tmp_path: Path) -> None:
    path = tmp_path / "a.ts"
    path.write_bytes(b"x" * 20_000_000)
    assert read_text(str(path), 0) == "x" * 20_000_000
    path.write_bytes(b"x")
    os.truncate(path, MAX_SCANNED_BYTES + 1)
    assert read_text(str(path), 0) == UnreadFile(UnreadReason.LARGE)
