"""The task feature on the hook contract alone: its results at hooks, and its state as a fold of the log."""

from __future__ import annotations

from ttsr_ls.features.tasks.feature import TaskFeature
from ttsr_ls.features.tasks.records import FEATURE, TaskReminderInjected, TaskToolUsed, from_event
from ttsr_ls.features.tasks.reminding import ReminderPolicy
from ttsr_ls.features.tasks.task import MAX_SUBJECT, MAX_TASKS
from ttsr_ls.session.history.turn import CompactionSummary, InjectionKind, UserInput
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    CallDone,
    CallRefused,
    FeatureRecorded,
    HistoryRewound,
    ModelCall,
    StepAppended,
    TurnEvent,
    TurnStarted,
)
from ttsr_ls.session.hooks.contract import Append, Note, Proceed, RequestContext, ToolResultContext
from ttsr_ls.session.hooks.feature_tools import ToolDone, ToolFailed
from ttsr_ls.session.hooks.system_items import MAX_LENGTH, SystemItems, injections_by

ANSWER = StepAppended("t1", 0, ModelCall(MAIN_AGENT, "m", (), complete=True))


async def call(feature: TaskFeature, name: str, arguments: object) -> ToolDone | ToolFailed:
    """Runs a tool as a host does: its records are on record before its answer is used."""
    (tool,) = (tool for tool in feature.tools if tool.name == name)
    answer = await tool.run(arguments)
    for record in answer.records:
        feature.evolve(record)
    return answer


def request(agent: str = MAIN_AGENT) -> RequestContext:
    return RequestContext(turn="t1", agent=agent, items=SystemItems())


def result(tool: str, state: CallDone | CallRefused) -> ToolResultContext:
    return ToolResultContext("t1", 0, MAIN_AGENT, "c", tool, state)


async def reminded(feature: TaskFeature) -> str:
    """Sends the next request. Returns the text of its reminder; empty if it has none."""
    context = request()
    decided = await feature.on_request(context)
    text = ""
    if isinstance(decided, Append):
        (injection,) = injections_by(context.items, decided.items)
        assert injection.purpose is InjectionKind.REMINDER
        text = injection.text
        for record in decided.records:
            feature.evolve(record)
    feature.evolve(ANSWER)
    return text


def test_the_task_feature_offers_four_tools_with_their_schemas() -> None:
    tools = TaskFeature().tools
    assert [tool.name for tool in tools] == ["TaskCreate", "TaskUpdate", "TaskGet", "TaskList"]
    assert all(tool.schema["type"] == "object" and tool.description for tool in tools)


async def test_a_call_changes_the_list_only_once_it_is_on_record() -> None:
    feature = TaskFeature()
    (create, *_) = feature.tools
    answer = await create.run({"subject": "a", "description": ""})
    assert answer.text.startswith("Created task 1: a")
    assert feature.tasks.tasks == ()
    for record in answer.records:
        feature.evolve(record)
    assert [task.subject for task in feature.tasks] == ["a"]
    assert (await call(feature, "TaskList", {})).text.endswith("1. [pending] a")
    assert (await call(feature, "TaskCreate", {"subject": "b", "description": ""})).text.startswith("Created task 2: b")
    assert {record.feature for record in answer.records} == {FEATURE}


async def test_a_refused_call_is_a_failure_that_records_nothing() -> None:
    answer = await call(TaskFeature(), "TaskUpdate", {"taskId": "1", "status": "completed"})
    assert answer == ToolFailed("There is no task '1'. TaskList shows the tasks with their numbers.")


async def test_on_tool_result_records_failed_calls_of_task_tools_too() -> None:
    feature = TaskFeature()
    for state in (CallDone("ok"), CallRefused("no")):
        for tool in ("TaskCreate", "TaskUpdate"):
            decided = await feature.on_tool_result(result(tool, state))
            assert isinstance(decided, Note)
            (record,) = decided.records
            assert isinstance(record, FeatureRecorded)
            assert from_event(record) == TaskToolUsed(tool)
    for tool in ("TaskGet", "TaskList", "bash", "taskcreate"):
        assert await feature.on_tool_result(result(tool, CallDone("ok"))) == Proceed()


async def test_a_reminder_is_appended_by_the_handle_after_inactivity_and_again_after_the_cooldown() -> None:
    feature = TaskFeature(ReminderPolicy(after=3, cooldown=2))
    await call(feature, "TaskCreate", {"subject": "a", "description": ""})
    reminders = [await reminded(feature) for _ in range(7)]
    assert [number for number, text in enumerate(reminders, 1) if text] == [3, 5, 7]
    assert reminders[2].endswith("\n1. [pending] a\n</system-reminder>")


async def test_a_reminder_is_on_record_with_its_text() -> None:
    feature = TaskFeature(ReminderPolicy(after=1, cooldown=1))
    await call(feature, "TaskCreate", {"subject": "a", "description": ""})
    context = request()
    decided = await feature.on_request(context)
    assert isinstance(decided, Append)
    assert [from_event(record) for record in decided.records] == [TaskReminderInjected()]
    (injection,) = injections_by(context.items, decided.items)
    assert injection.text.splitlines()[0] == '<system-reminder reason="task_inactivity">'
    assert "1. [pending] a" in injection.text.splitlines()


async def test_using_a_task_tool_postpones_the_reminder() -> None:
    feature = TaskFeature(ReminderPolicy(after=3, cooldown=9))
    await call(feature, "TaskCreate", {"subject": "a", "description": ""})
    assert [await reminded(feature) for _ in range(2)] == ["", ""]
    decided = await feature.on_tool_result(result("TaskUpdate", CallDone("ok")))
    assert isinstance(decided, Note)
    for record in decided.records:
        feature.evolve(record)
    assert [bool(await reminded(feature)) for _ in range(3)] == [False, False, True]


async def test_a_subagent_is_not_reminded() -> None:
    feature = TaskFeature(ReminderPolicy(after=1, cooldown=1))
    await call(feature, "TaskCreate", {"subject": "a", "description": ""})
    assert await feature.on_request(request("sub")) == Proceed()


async def test_rewinding_restores_the_tasks_at_the_start_of_the_turn() -> None:
    feature = TaskFeature()
    feature.evolve(TurnStarted("t1", UserInput("go")))
    await call(feature, "TaskCreate", {"subject": "a", "description": ""})
    feature.evolve(TurnStarted("t2", UserInput("on")))
    await call(feature, "TaskUpdate", {"taskId": "1", "status": "completed"})
    await call(feature, "TaskCreate", {"subject": "b", "description": ""})
    feature.evolve(HistoryRewound("t2"))
    assert [(task.subject, task.status.value) for task in feature.tasks] == [("a", "pending")]


async def test_compacting_injects_the_task_list_once() -> None:
    feature = TaskFeature()
    await call(feature, "TaskCreate", {"subject": "a", "description": ""})
    feature.evolve(StepAppended("t1", 1, CompactionSummary(MAIN_AGENT, "s", "a")))
    assert "The tasks of this session are kept" in await reminded(feature)
    assert await reminded(feature) == ""


async def test_a_resumed_session_has_the_same_task_state() -> None:
    policy = ReminderPolicy(after=3, cooldown=4)
    log: list[TurnEvent] = []

    class Logged(TaskFeature):
        def evolve(self, event: TurnEvent) -> None:
            log.append(event)
            super().evolve(event)

    feature = Logged(policy)
    await call(feature, "TaskCreate", {"subject": "a", "description": ""})
    for request_number in range(12):
        resumed = TaskFeature(policy)
        for event in list(log):
            resumed.evolve(event)
        assert resumed.tasks == feature.tasks
        assert bool(await reminded(feature)) == bool(await reminded(resumed)), request_number


async def test_the_longest_list_still_fits_into_a_reminder() -> None:
    feature = TaskFeature(ReminderPolicy(after=1, cooldown=1))
    for _ in range(MAX_TASKS):
        await call(feature, "TaskCreate", {"subject": "x" * MAX_SUBJECT, "description": ""})
    numbers = [str(number) for number in range(1, 51)]
    for number in range(51, MAX_TASKS + 1):
        await call(feature, "TaskUpdate", {"taskId": str(number), "addBlockedBy": numbers})
    assert 0 < len(await reminded(feature)) < MAX_LENGTH
    feature.evolve(StepAppended("t1", 1, CompactionSummary(MAIN_AGENT, "s", "a")))
    assert 0 < len(await reminded(feature)) < MAX_LENGTH
