"""A session whose log ends after any byte resumes as if the torn line had never been written.

These tests try each kind of place in each kind of line; `stress_session_logs.py` tries thousands, and kills real
processes.
"""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import pytest

from tests.bridge.host.driving import FINE, OLD, PUSH, SORRY, TYPED
from tests.bridge.host.logged_sessions import check_file, played_on_failing_disk, taken_up, whole_log
from tests.bridge.host.session_checks import Turns
from tests.store.failing_disk import FailingDisk, FailingSync
from ttsr_ls.session.history.turn_events import TurnEvent
from ttsr_ls.store.log.reader import read_log

pytestmark = pytest.mark.usefixtures("shared_automata")
SCRIPT: Turns = ((OLD, FINE), (TYPED, (*TYPED, *PUSH), SORRY))


@pytest.fixture(autouse=True)
def _fast_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skips syncs, which take most of the time: no test here cuts the power."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return whole_log(tmp_path_factory.mktemp("whole") / "log.jsonl", SCRIPT)


def places(data: bytes) -> list[int]:
    """In the first line of each kind: nothing of it, one byte, half, all but its last brace, all but its line feed.

    In the other lines: nothing of it, and half.
    """
    found = {0}
    start = 0
    kinds = set()
    for line in data.splitlines(keepends=True):
        end = start + len(line)
        found |= {start, start + len(line) // 2, end}
        kind = json.loads(line).get("event", {}).get("kind")
        if kind not in kinds:
            found |= {start + 1, end - 2, end - 1}
        kinds.add(kind)
        start = end
    return sorted(found)


def test_a_session_with_a_torn_log_resumes_without_the_torn_line(tmp_path: Path, whole: bytes) -> None:
    tried = places(whole)
    assert len(tried) > 100
    clean: dict[int, list[TurnEvent]] = {}
    for cut in tried:
        path = tmp_path / f"{cut}.jsonl"
        path.write_bytes(whole[:cut])
        before = [record.event for record in read_log(path).records]
        assert len(before) == max(whole[:cut].count(b"\n") - 1, 0)
        after = asyncio.run(taken_up(path, before))
        assert after == clean.setdefault(len(before), after), "not as if the torn line had never been"
        check_file(path, after)


@pytest.mark.parametrize("failures", [1, 2, 5])
def test_all_injections_of_a_session_with_a_failing_disk_are_recorded(
    tmp_path: Path, whole: bytes, failures: int
) -> None:
    header = whole.index(b"\n") + 1
    complete = 0
    tried = [place - header for place in places(whole) if place >= header][failures % 3 :: 3]
    assert len(tried) > 30
    for room in tried:
        path = tmp_path / f"{room}.jsonl"
        complete += asyncio.run(played_on_failing_disk(path, SCRIPT, FailingDisk(room, failures)))
    assert complete > len(tried) // 2


def test_all_injections_of_a_session_with_a_failing_sync_are_recorded(tmp_path: Path) -> None:
    for fails_at in range(1, 12):
        path = tmp_path / f"{fails_at}.jsonl"
        asyncio.run(played_on_failing_disk(path, SCRIPT, FailingDisk(10**9, 0), FailingSync(fails_at)))
