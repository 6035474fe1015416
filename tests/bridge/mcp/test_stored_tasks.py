"""A stored task list equals its log after restarts, crashes, full disks, and concurrent writers."""

from __future__ import annotations

import errno
import os
from itertools import count
from pathlib import Path

import pytest

from ttsr_ls.bridge.mcp.stored_tasks import StoredTasks
from ttsr_ls.errors import UsageError
from ttsr_ls.features.tasks.records import TasksWritten, TaskToolUsed, to_event
from ttsr_ls.features.tasks.task import Task, TaskStatus
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import Injection, InjectionKind
from ttsr_ls.session.history.turn_events import MAIN_AGENT, FeatureRecorded, InjectionCommitted, SessionResumed
from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.reader import read_log
from ttsr_ls.store.log.turn_log import LogBusyError, LogWriteError

HEADER = Header("s", "mcp", "/home/dev/shop", 1, "test")


def opened(path: Path) -> StoredTasks:
    times = count(100)
    return StoredTasks.open(path, HEADER, lambda: next(times))


def create(tasks: StoredTasks, subject: str) -> str:
    reply = tasks.call("TaskCreate", {"subject": subject, "description": ""})
    assert not reply.is_error
    return reply.text


def test_tasks_survive_a_restart_with_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "new" / "tasks.jsonl"
    with opened(path) as tasks:
        create(tasks, "a")
        create(tasks, "b")
        tasks.call("TaskUpdate", {"taskId": "2", "status": "deleted"})
    with opened(path) as tasks:
        assert create(tasks, "c") == "Created task 3: c\n2 tasks: 2 pending."
        assert [task.number for task in tasks.tasks] == [1, 3]
    kinds = [type(record.event) for record in read_log(path).records]
    assert kinds == [FeatureRecorded] * 3 + [SessionResumed, FeatureRecorded]


def test_changes_of_a_call_are_on_disk_before_its_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    with opened(tmp_path / "t.jsonl") as tasks:
        monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(len(read_log(tmp_path / "t.jsonl").records)))
        create(tasks, "a")
    assert synced == [1]


def test_reading_calls_change_nothing_on_disk(tmp_path: Path) -> None:
    with opened(tmp_path / "t.jsonl") as tasks:
        create(tasks, "a")
        before = (tmp_path / "t.jsonl").read_bytes()
        assert not tasks.call("TaskList", {}).is_error
        assert not tasks.call("TaskGet", {"taskId": "1"}).is_error
        assert tasks.call("TaskGet", {"taskId": "2"}).is_error
    assert (tmp_path / "t.jsonl").read_bytes() == before


def test_a_log_is_locked_by_one_server(tmp_path: Path) -> None:
    with opened(tmp_path / "t.jsonl") as first:
        create(first, "a")
        with pytest.raises(LogBusyError, match=r"the session log .*t\.jsonl is being written"):
            opened(tmp_path / "t.jsonl")
        create(first, "b")
    with opened(tmp_path / "t.jsonl") as later:
        assert [task.subject for task in later.tasks] == ["a", "b"]


def test_a_call_that_cannot_be_recorded_changes_nothing_and_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with opened(tmp_path / "t.jsonl") as tasks:
        create(tasks, "a")
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", full)
            reply = tasks.call("TaskUpdate", {"taskId": "1", "status": "completed"})
        assert reply.is_error
        assert reply.text.startswith("Nothing was changed: cannot write the session log")
        assert tasks.tasks.find(1) == Task(1, "a", "")
        assert not tasks.call("TaskUpdate", {"taskId": "1", "status": "completed"}).is_error
    with opened(tmp_path / "t.jsonl") as tasks:
        assert [task.status for task in tasks.tasks] == [TaskStatus.COMPLETED]


def test_a_log_truncated_at_any_byte_keeps_the_tasks_of_its_whole_lines(tmp_path: Path) -> None:
    with opened(tmp_path / "t.jsonl") as tasks:
        create(tasks, "a")
        create(tasks, "b")
    data = (tmp_path / "t.jsonl").read_bytes()
    ends = [position + 1 for position, byte in enumerate(data) if byte == ord("\n")]
    for cut in range(len(data) + 1):
        path = tmp_path / f"{cut}.jsonl"
        path.write_bytes(data[:cut])
        with opened(path) as tasks:
            whole = max(sum(end <= cut for end in ends) - 1, 0)
            assert [task.subject for task in tasks.tasks] == ["a", "b"][:whole]
            assert bool(tasks.problems) == (cut not in (0, *ends))
            create(tasks, "c")
        with opened(path) as tasks:
            assert [task.subject for task in tasks.tasks] == [*["a", "b"][:whole], "c"]


def test_a_file_that_is_no_log_is_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text("# mine\n")
    with pytest.raises(LogWriteError, match="is not a session log"):
        opened(path)
    assert path.read_text() == "# mine\n"


def test_the_task_list_of_a_hosted_session_is_continued(tmp_path: Path) -> None:
    with opened(tmp_path / "t.jsonl") as tasks:
        create(tasks, "a")
        injection = Injection(MAIN_AGENT, InjectionKind.NOTE, Role.USER, "")
        feature_records = (FeatureRecorded("other", "{}"), to_event(TasksWritten((Task(2, "b", ""),))))
        tasks._log.append(InjectionCommitted("t1", 0, injection, (), feature_records), 1)
        tasks._log.append(to_event(TaskToolUsed("TaskUpdate")), 1)
    with opened(tmp_path / "t.jsonl") as tasks:
        assert [task.subject for task in tasks.tasks] == ["a", "b"]


def test_an_unknown_task_tool_is_a_usage_error(tmp_path: Path) -> None:
    with opened(tmp_path / "t.jsonl") as tasks, pytest.raises(UsageError, match="no tool TaskFly"):
        tasks.call("TaskFly", {})
