"""Changes in a watched folder are reported soon, and reads are not."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ttsr_ls.store import watch
from ttsr_ls.store.watch import FolderWatch

SOON = 120.0


@pytest.fixture(params=["notified by the system", "found by polling"])
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "found by looking":
        monkeypatch.setattr(watch, "_observer", lambda: None)


class Calls:
    def __init__(self) -> None:
        self._calls: queue.Queue[None] = queue.Queue()

    def __call__(self) -> None:
        self._calls.put(None)

    def wait(self) -> None:
        self._calls.get(timeout=SOON)

    def drain(self) -> None:
        while True:
            try:
                self._calls.get(timeout=watch._POLL_UNWATCHED * 2)
            except queue.Empty:
                return


@pytest.fixture
def calls() -> Calls:
    return Calls()


@pytest.fixture
def folder_watch(tmp_path: Path, calls: Calls, _way: None) -> Iterator[FolderWatch]:
    folder_watch = FolderWatch([tmp_path / "folder"], calls, poll_seconds=watch._POLL_UNWATCHED)
    folder_watch.start()
    yield folder_watch
    folder_watch.stop()


@pytest.fixture
def watched(folder_watch: FolderWatch) -> Path:
    return folder_watch._folders[0]


def test_a_watch_reports_changes_in_a_folder_created_later(watched: Path, calls: Calls) -> None:
    watched.mkdir()
    (watched / "a").write_text("1")
    calls.wait()
    calls.drain()
    (watched / "a").write_text("12")
    calls.wait()
    calls.drain()
    (watched / "a").unlink()
    calls.wait()


def test_reading_a_file_is_not_reported_as_a_change(folder_watch: FolderWatch, watched: Path, calls: Calls) -> None:
    watched.mkdir()
    (watched / "a").write_text("1")
    calls.wait()
    deadline = time.monotonic() + SOON
    while folder_watch._seen[watched] != watch._signature(watched):  # A poll calls once more.
        assert time.monotonic() < deadline
        time.sleep(0.01)
    calls.drain()
    for _ in range(3):
        (watched / "a").read_text()
    with pytest.raises(queue.Empty):
        calls._calls.get(timeout=watch._POLL_UNWATCHED * 2)
