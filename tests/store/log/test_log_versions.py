"""A writer refuses a log that it cannot read in full; readers keep what they can read."""

from __future__ import annotations

from asyncio import CancelledError
from pathlib import Path

import pytest

from ttsr_ls.bridge.host.session import Session
from ttsr_ls.bridge.mcp.stored_tasks import StoredTasks
from ttsr_ls.features.tasks.feature import TaskFeature
from ttsr_ls.session.history.turn_events import FeatureRecorded, TurnCompleted, TurnEnded, TurnStarted, UserInput
from ttsr_ls.session.hooks.contract import Feature
from ttsr_ls.store.log.errors import LogNotUnderstoodError
from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.reader import LogProblemKind, read_log
from ttsr_ls.store.log.turn_log import TurnLog

HEADER = Header(session="s1", agent="ttsr-ls", workspace="/home/dev/shop", started=1_000, writer="test")
EVENTS = (TurnStarted("t1", UserInput("write it")), TurnEnded("t1", TurnCompleted()))
NEWER = {
    "a header": lambda data: data.replace(b'"ttsr-log":1', b'"ttsr-log":2'),
    "a header of no number": lambda data: data.replace(b'"ttsr-log":1', b'"ttsr-log":"next"'),
    "a version": lambda data: data + b'{"v":2,"seq":3,"t":0,"event":{"kind":"SessionResumed"}}\n',
    "a kind": lambda data: data + b'{"v":1,"seq":3,"t":0,"event":{"kind":"SomethingNewer"}}\n',
    "a value": lambda data: (
        data + b'{"v":1,"seq":3,"t":0,"event":{"kind":"TurnEnded","turn":"t2","outcome":{"kind":"Paused"}}}\n'
    ),
    "a kind amid others": lambda data: data.replace(b"TurnStarted", b"TurnOpened"),
    "a torn end too": lambda data: data + b'{"v":2,"seq":3,"t":0,"event":{}}\n{"v":2',
}


@pytest.fixture(params=NEWER)
def newer(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A log of a newer version of this program."""
    path = tmp_path / "newer.jsonl"
    with TurnLog.open(path, HEADER) as log:
        for event in EVENTS:
            log.append(event, 0)
    path.write_bytes(NEWER[request.param](path.read_bytes()))
    return path


def test_a_log_of_a_newer_version_is_refused_and_unchanged(newer: Path) -> None:
    before = newer.read_bytes()
    with pytest.raises(LogNotUnderstoodError) as caught:
        TurnLog.open(newer, HEADER)
    message = str(caught.value)
    assert message.startswith(f"the session log {newer} was written by another version of ttsr-ls")
    assert "Line " in message
    assert message.endswith("update ttsr-ls to continue this log, or name another file to begin a new one")
    assert newer.read_bytes() == before


def test_readers_keep_the_readable_records_of_a_newer_log(newer: Path) -> None:
    content = read_log(newer)
    assert content.header == HEADER
    assert {record.event for record in content.records} <= set(EVENTS)
    assert content.records
    log_problem_kinds = {LogProblemKind.UNKNOWN_FORMAT, LogProblemKind.UNKNOWN_RECORD}
    assert log_problem_kinds & {problem.kind for problem in content.problems}


async def test_sessions_and_task_lists_refuse_a_log_of_a_newer_version(newer: Path) -> None:
    before = newer.read_bytes()
    with pytest.raises(LogNotUnderstoodError):
        await Session.open(log=newer)
    with pytest.raises(LogNotUnderstoodError):
        StoredTasks.open(newer, HEADER, lambda: 0)
    assert newer.read_bytes() == before


def test_a_refused_log_is_not_locked(newer: Path) -> None:
    for _ in range(2):
        with pytest.raises(LogNotUnderstoodError):
            TurnLog.open(newer, HEADER)


NEWER_TASKS = ['{"v":2,"record":{"kind":"TaskToolUsed","tool":"x"}}', '{"v":1,"record":{"kind":"TasksSorted"}}']


@pytest.mark.parametrize("content", NEWER_TASKS)
async def test_a_task_list_of_a_newer_version_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "tasks.jsonl"
    with TurnLog.open(path, HEADER) as log:
        log.append(FeatureRecorded("tasks", content), 0)
    before = path.read_bytes()
    with pytest.raises(LogNotUnderstoodError, match="tasks"):
        await Session.open(log=path, features=[TaskFeature()])
    assert path.read_bytes() == before
    with pytest.raises(LogNotUnderstoodError, match="tasks"):
        StoredTasks.open(path, HEADER, lambda: 0)


def test_task_lists_ignore_records_of_other_features(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    with TurnLog.open(path, HEADER) as log:
        log.append(FeatureRecorded("other", '{"v":9}'), 0)
    StoredTasks.open(path, HEADER, lambda: 0).close()


async def test_a_session_without_a_feature_ignores_its_records(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with TurnLog.open(path, HEADER) as log:
        log.append(FeatureRecorded("tasks", NEWER_TASKS[0]), 0)
    await (await Session.open(log=path)).close()


@pytest.mark.parametrize("error", [ValueError("no"), SystemExit(3), CancelledError()])
async def test_a_feature_whose_can_read_fails_is_assumed_to_read_the_record(
    tmp_path: Path, error: BaseException
) -> None:
    class Faulty(Feature):
        name = "faulty"

        def can_read(self, record: FeatureRecorded) -> bool:
            raise error

    path = tmp_path / "log.jsonl"
    with TurnLog.open(path, HEADER) as log:
        log.append(FeatureRecorded("faulty", "{}"), 0)
    await (await Session.open(log=path, features=[Faulty()])).close()
