"""The task list in a real session: tools, reminders in requests, and both after a restart."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from tests.features.hosted import Call, run_turn, texts
from ttsr_ls.bridge.host.session import Session
from ttsr_ls.bridge.mcp.stored_tasks import StoredTasks
from ttsr_ls.features.tasks.feature import TaskFeature
from ttsr_ls.features.tasks.reminding import ReminderPolicy
from ttsr_ls.features.tasks.state import fold
from ttsr_ls.session.history.turn_events import FeatureRecorded, InjectionCommitted, StepUpdated
from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.reader import read_log

CREATE: Call = ("TaskCreate", {"subject": "Load the prices", "description": "from CSV"})
OTHER: Call = ("read", {"path": "a.py"})
QUICK = ReminderPolicy(after=3, cooldown=4)
REMINDER = "1 task of this session is still open"


async def opened(log: Path, policy: ReminderPolicy = QUICK) -> tuple[Session, TaskFeature]:
    feature = TaskFeature(policy)
    return await Session.open(log=log, features=[feature]), feature


def subjects(feature: TaskFeature) -> list[str]:
    return [task.subject for task in feature.tasks]


def reminders(messages: list[dict[str, object]]) -> int:
    return sum(REMINDER in text for text in texts(messages))


async def test_task_tools_are_offered_to_the_model_and_answer_its_calls(tmp_path: Path) -> None:
    session, feature = await opened(tmp_path / "s.jsonl")
    async with session:
        async with session.turn("go") as turn:
            request = await anext(aiter(turn))
            assert [tool["name"] for tool in request.tools] == ["TaskCreate", "TaskUpdate", "TaskGet", "TaskList"]
        sent = await run_turn(session, [CREATE], [("TaskUpdate", {"taskId": "9", "status": "completed"})])
        assert texts(sent[1])[-1] == "Created task 1: Load the prices\n1 task: 1 pending."
        assert texts(sent[2])[-1] == "There is no task '9'. TaskList shows the tasks with their numbers."
        assert subjects(feature) == ["Load the prices"]


async def test_the_records_of_a_task_tool_come_before_its_result(tmp_path: Path) -> None:
    session, _ = await opened(tmp_path / "s.jsonl")
    async with session:
        await run_turn(session, [CREATE])
    events = [record.event for record in read_log(tmp_path / "s.jsonl").records]
    kinds = [type(event) for event in events if isinstance(event, FeatureRecorded | StepUpdated)]
    # The list, then the use that `on_tool_result` records, then the result.
    assert kinds == [FeatureRecorded, FeatureRecorded, StepUpdated]


async def test_a_request_after_inactivity_carries_a_reminder(tmp_path: Path) -> None:
    session, _ = await opened(tmp_path / "s.jsonl")
    async with session:
        sent = await run_turn(session, [CREATE], *[[OTHER]] * 9)
    # The third request after the one that created the task, and each fourth one after it.
    assert [reminders(messages) for messages in sent] == [0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]
    committed = [r.event for r in read_log(tmp_path / "s.jsonl").records if isinstance(r.event, InjectionCommitted)]
    assert [REMINDER in event.injection.text for event in committed] == [True, True]
    assert all([record.feature for record in event.feature_records] == ["tasks"] for event in committed)


async def test_reminders_and_results_keep_their_positions_in_the_history(tmp_path: Path) -> None:
    session, _ = await opened(tmp_path / "s.jsonl")
    async with session:
        sent = await run_turn(session, [CREATE], [OTHER], [OTHER], [OTHER])
        sent += await run_turn(session, [OTHER])
        history = session.messages
    # The answers to the calls are results, and the reminder is a message of the user behind the last of them.
    (called, created), reminded = sent[1][-2:], sent[3][-1]
    (use,) = [block for block in called["content"] if block["type"] == "tool_use"]
    assert (use["name"], use["input"]) == CREATE
    assert [(block["type"], block["tool_use_id"]) for block in created["content"]] == [("tool_result", use["id"])]
    assert [block["type"] for block in reminded["content"]] == ["tool_result", "text"]
    assert REMINDER in reminded["content"][1]["text"]
    for earlier, later in pairwise([*sent, history]):
        assert later[: len(earlier)] == earlier
    again, _ = await opened(tmp_path / "s.jsonl")
    async with again:
        assert again.messages == history


async def test_a_failing_task_call_also_postpones_the_reminder(tmp_path: Path) -> None:
    session, _ = await opened(tmp_path / "s.jsonl")
    async with session:
        sent = await run_turn(session, [CREATE], [OTHER], [("TaskUpdate", {})], [OTHER], [OTHER])
        assert [reminders(messages) for messages in sent] == [0, 0, 0, 0, 0, 1]


async def test_a_resumed_session_has_its_tasks_and_reminds_at_the_same_request(tmp_path: Path) -> None:
    whole, _ = await opened(tmp_path / "whole.jsonl")
    async with whole:
        expected = [*await run_turn(whole, [CREATE], [OTHER]), *await run_turn(whole, [OTHER], [OTHER], [OTHER])]
    first, _ = await opened(tmp_path / "s.jsonl")
    async with first:
        sent = await run_turn(first, [CREATE], [OTHER])
    second, feature = await opened(tmp_path / "s.jsonl")
    async with second:
        assert subjects(feature) == ["Load the prices"]
        sent += await run_turn(second, [OTHER], [OTHER], [OTHER])
    counted = [reminders(messages) for messages in sent]
    assert counted == [reminders(messages) for messages in expected]
    assert counted[-1] == 1


async def test_rewinding_and_clearing_restore_the_task_list(tmp_path: Path) -> None:
    session, feature = await opened(tmp_path / "s.jsonl")
    async with session:
        await run_turn(session, [CREATE])
        await run_turn(session, [("TaskUpdate", {"taskId": 1, "status": "completed"}), CREATE])
        assert [task.status.value for task in feature.tasks] == ["completed", "pending"]
        await session.rewind(session.turns[1].id)
        assert [task.status.value for task in feature.tasks] == ["pending"]
    again, resumed = await opened(tmp_path / "s.jsonl")
    async with again:
        assert resumed.tasks == feature.tasks
        await again.clear()
        assert subjects(resumed) == []


async def test_compacting_keeps_the_tasks_and_injects_the_list(tmp_path: Path) -> None:
    session, feature = await opened(tmp_path / "s.jsonl", ReminderPolicy())
    async with session:
        await run_turn(session, [CREATE])
        await session.compact("We began with the prices.")
        assert subjects(feature) == ["Load the prices"]
        first, second = await run_turn(session, [OTHER])
    assert len([text for text in texts(first) if "1. [pending] Load the prices" in text]) == 1
    assert not [text for text in texts(first) if text.startswith("Created task 1")]
    assert len([text for text in texts(second) if "1. [pending] Load the prices" in text]) == 1


async def test_the_mcp_server_reads_and_changes_the_tasks_of_a_session_log(tmp_path: Path) -> None:
    session, feature = await opened(tmp_path / "s.jsonl")
    async with session:
        await run_turn(session, [CREATE], *[[OTHER]] * 4)
    header = Header("s", "mcp", "", 1, "test")
    with StoredTasks.open(tmp_path / "s.jsonl", header, lambda: 1) as kept:
        assert kept.tasks == feature.tasks
        kept.call("TaskUpdate", {"taskId": "1", "status": "completed"})
    again, resumed = await opened(tmp_path / "s.jsonl")
    async with again:
        assert [task.status.value for task in resumed.tasks] == ["completed"]
    assert fold(record.event for record in read_log(tmp_path / "s.jsonl").records).tasks == resumed.tasks
