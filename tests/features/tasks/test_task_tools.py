"""The task tools: the effects of calls, and the reasons for which calls are refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.features.tasks.records import TasksWritten
from ttsr_ls.features.tasks.task import (
    MAX_DESCRIPTION,
    MAX_LINKS,
    MAX_SUBJECT,
    MAX_TASKS,
    Task,
    TaskList,
    TaskStatus,
    find_problem,
)
from ttsr_ls.features.tasks.tools import TASK_TOOLS, TaskCallDone, TaskCallRefused, ToolAnswer

TOOLS = {tool.name: tool for tool in TASK_TOOLS}


def call(tasks: TaskList, name: str, arguments: object) -> tuple[TaskList, ToolAnswer]:
    """The list after a call, and its answer."""
    answer = TOOLS[name].run(tasks, arguments)
    if isinstance(answer, TaskCallDone):
        for record in answer.records:
            assert isinstance(record, TasksWritten)
            tasks = tasks.with_tasks(record.tasks)
    return tasks, answer


def made(*subjects: str) -> TaskList:
    tasks = TaskList()
    for subject in subjects:
        tasks, answer = call(tasks, "TaskCreate", {"subject": subject, "description": f"All about {subject}"})
        assert isinstance(answer, TaskCallDone)
    return tasks


def declined(tasks: TaskList, name: str, arguments: object) -> str:
    after, answer = call(tasks, name, arguments)
    assert isinstance(answer, TaskCallRefused)
    assert after == tasks
    return answer.text


def test_the_four_tools_have_the_names_that_models_know() -> None:
    assert [tool.name for tool in TASK_TOOLS] == ["TaskCreate", "TaskUpdate", "TaskGet", "TaskList"]
    assert [tool.name for tool in TASK_TOOLS if tool.changes] == ["TaskCreate", "TaskUpdate"]
    assert all(tool.description for tool in TASK_TOOLS)


@pytest.mark.parametrize(
    ("name", "required", "optional"),
    [
        ("TaskCreate", {"subject", "description"}, {"activeForm"}),
        (
            "TaskUpdate",
            {"taskId"},
            {"status", "subject", "description", "activeForm", "addBlocks", "addBlockedBy", "removeBlockedBy"},
        ),
        ("TaskGet", {"taskId"}, set()),
        ("TaskList", set(), set()),
    ],
)
def test_the_schema_of_each_tool_has_its_arguments(name: str, required: set[str], optional: set[str]) -> None:
    schema = TOOLS[name].schema
    assert schema["type"] == "object"
    assert set(schema["required"]) == required
    assert set(schema["properties"]) == required | optional
    assert schema["additionalProperties"] is False
    assert "$ref" not in str(schema)
    assert all("description" in str(each) for each in schema["properties"].values())


def test_the_schema_has_all_task_statuses() -> None:
    states = TOOLS["TaskUpdate"].schema["properties"]["status"]["enum"]
    assert sorted(states) == sorted(status.value for status in TaskStatus)


def test_a_task_is_created_pending_with_the_next_number() -> None:
    tasks, answer = call(
        made("a"), "TaskCreate", {"subject": " Fix\n the  form ", "description": "d", "activeForm": "Fixing"}
    )
    assert tasks.find(2) == Task(2, "Fix the form", "d", TaskStatus.PENDING, "Fixing")
    assert answer == TaskCallDone("Created task 2: Fix the form\n2 tasks: 2 pending.", answer.records)  # type: ignore[union-attr]


def test_the_number_of_a_deleted_task_is_not_reused() -> None:
    tasks, _ = call(made("a", "b"), "TaskUpdate", {"taskId": "2", "status": "deleted"})
    tasks, _ = call(tasks, "TaskCreate", {"subject": "c", "description": ""})
    assert [task.number for task in tasks] == [1, 3]


def test_an_update_changes_the_given_fields() -> None:
    change = {"taskId": "1", "status": "in_progress", "subject": "x", "description": "y", "activeForm": "z"}
    tasks, answer = call(made("a", "b"), "TaskUpdate", change)
    assert tasks.find(1) == Task(1, "x", "y", TaskStatus.IN_PROGRESS, "z")
    assert isinstance(answer, TaskCallDone)
    assert answer.text == "Updated task 1 (in_progress): x\n2 tasks: 1 pending, 1 in_progress."


@pytest.mark.parametrize("number", ["1", 1, "#1", " 1 "])
def test_task_ids_are_accepted_in_the_forms_that_models_write(number: object) -> None:
    _, answer = call(made("a"), "TaskGet", {"taskId": number})
    assert isinstance(answer, TaskCallDone)


def test_links_are_stored_in_the_blocked_task() -> None:
    tasks, _ = call(made("a", "b", "c"), "TaskUpdate", {"taskId": "2", "addBlockedBy": ["1"], "addBlocks": ["3"]})
    assert [task.blocked_by for task in tasks] == [(), (1,), (2,)]
    _, answer = call(tasks, "TaskGet", {"taskId": "2"})
    assert isinstance(answer, TaskCallDone)
    assert answer.text.splitlines() == [
        "Task 2: b",
        "Status: pending",
        "Comes after: 1",
        "Comes before: 3",
        "Description:",
        "All about b",
    ]


def test_the_list_names_the_unfinished_blockers_of_a_task() -> None:
    tasks, _ = call(made("a", "b"), "TaskUpdate", {"taskId": "2", "addBlockedBy": [1]})
    _, answer = call(tasks, "TaskList", {})
    assert isinstance(answer, TaskCallDone)
    assert answer.text.splitlines() == ["2 tasks: 2 pending.", "1. [pending] a", "2. [pending] b (after 1)"]
    tasks, _ = call(tasks, "TaskUpdate", {"taskId": "1", "status": "completed"})
    _, answer = call(tasks, "TaskList", {})
    assert isinstance(answer, TaskCallDone)
    assert answer.text.splitlines()[1:] == ["1. [completed] a", "2. [pending] b"]


def test_a_deleted_task_blocks_no_other() -> None:
    tasks, _ = call(made("a", "b"), "TaskUpdate", {"taskId": "2", "addBlockedBy": ["1"]})
    tasks, answer = call(tasks, "TaskUpdate", {"taskId": "1", "status": "deleted"})
    assert [(task.number, task.blocked_by) for task in tasks] == [(2, ())]
    assert isinstance(answer, TaskCallDone)
    assert answer.text.startswith("Deleted task 1")


def test_a_blocker_can_be_removed() -> None:
    tasks, _ = call(made("a", "b"), "TaskUpdate", {"taskId": "2", "addBlockedBy": ["1"]})
    tasks, _ = call(tasks, "TaskUpdate", {"taskId": "2", "removeBlockedBy": ["1"]})
    assert not any(task.blocked_by for task in tasks)


@pytest.mark.parametrize(
    ("change", "circle"),
    [
        ({"taskId": "1", "addBlockedBy": ["3"]}, "1 waits for 3 waits for 2 waits for 1"),
        ({"taskId": "3", "addBlocks": ["1"]}, "1 waits for 3 waits for 2 waits for 1"),
        ({"taskId": "1", "addBlocks": ["3"], "addBlockedBy": ["2"]}, "1 waits for 2 waits for 1"),
    ],
)
def test_a_cycle_is_refused_and_described(change: dict[str, Any], circle: str) -> None:
    tasks = made("a", "b", "c")
    for first, second in (("2", "1"), ("3", "2")):
        tasks, _ = call(tasks, "TaskUpdate", {"taskId": first, "addBlockedBy": [second]})
    assert declined(tasks, "TaskUpdate", change) == (
        f"Tasks would wait for each other in a circle: {circle}. Nothing was changed."
    )


@pytest.mark.parametrize(
    ("name", "arguments", "part"),
    [
        ("TaskCreate", {}, "missing required field `subject`"),
        ("TaskCreate", {"subject": "a"}, "missing required field `description`"),
        ("TaskCreate", {"subject": " \n", "description": ""}, "must say something"),
        ("TaskCreate", {"subject": "x" * (MAX_SUBJECT + 1), "description": ""}, f"length <= {MAX_SUBJECT}"),
        ("TaskCreate", {"subject": "a", "description": "x" * (MAX_DESCRIPTION + 1)}, f"length <= {MAX_DESCRIPTION}"),
        ("TaskCreate", {"subject": ["a"], "description": ""}, "Expected `str`, got `array` - at `$.subject`"),
        ("TaskCreate", {"title": "a", "subject": "a", "description": ""}, "unknown field `title`"),
        ("TaskCreate", "no object", "Expected `object`, got `str`"),
        ("TaskCreate", None, "Expected `object`, got `null`"),
        ("TaskGet", {"taskId": "7"}, "There is no task '7'. TaskList shows"),
        ("TaskGet", {"taskId": "first"}, "There is no task 'first'"),
        ("TaskGet", {"taskId": "9" * 500}, "length <= 20"),
        ("TaskGet", {"taskId": 10**400}, "got `int`"),
        ("TaskGet", {"taskId": "²"}, "There is no task"),
        ("TaskUpdate", {"taskId": "1"}, "is so already"),
        ("TaskUpdate", {"taskId": "1", "status": "pending"}, "is so already"),
        ("TaskUpdate", {"taskId": "1", "status": "done"}, "Invalid enum value 'done'"),
        ("TaskUpdate", {"taskId": "1", "addBlocks": ["1"]}, "cannot wait for itself"),
        ("TaskUpdate", {"taskId": "1", "addBlockedBy": ["2"]}, "There is no task '2'"),
        ("TaskUpdate", {"taskId": "1", "addBlockedBy": ["1"] * (MAX_LINKS + 1)}, f"length <= {MAX_LINKS}"),
        ("TaskList", {"all": True}, "It takes none: {}."),
    ],
)
def test_a_refused_call_gives_the_model_the_reason(name: str, arguments: object, part: str) -> None:
    assert part in declined(made("a"), name, arguments)


def test_the_answer_to_invalid_arguments_lists_the_valid_ones() -> None:
    text = declined(TaskList(), "TaskCreate", {})
    assert text.endswith("It takes subject, description, activeForm (optional).")


def test_a_full_list_refuses_another_task() -> None:
    tasks = made(*(f"t{number}" for number in range(MAX_TASKS)))
    assert "Delete tasks that are completed first" in declined(tasks, "TaskCreate", {"subject": "x", "description": ""})
    tasks, _ = call(tasks, "TaskUpdate", {"taskId": "5", "status": "deleted"})
    _, answer = call(tasks, "TaskCreate", {"subject": "x", "description": ""})
    assert isinstance(answer, TaskCallDone)


def test_a_lone_surrogate_in_arguments_is_replaced() -> None:
    tasks, _ = call(TaskList(), "TaskCreate", {"subject": "a\ud83db", "description": "\udc00"})
    assert tasks.find(1) == Task(1, "a\ufffdb", "\ufffd")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.floats(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=8,
)
NUMBERS = st.lists(st.integers(0, 6).map(str), max_size=3)
UPDATE = st.fixed_dictionaries(
    {"taskId": st.integers(1, 5).map(str)},
    optional={
        "status": st.sampled_from([status.value for status in TaskStatus]),
        "addBlocks": NUMBERS,
        "addBlockedBy": NUMBERS,
        "removeBlockedBy": NUMBERS,
        "subject": st.text(max_size=5),
    },
)


@given(st.sampled_from(sorted(TOOLS)), JSON)
def test_task_tools_do_not_raise_for_any_arguments(name: str, arguments: object) -> None:
    after, _ = call(made("a", "b"), name, arguments)
    assert find_problem(after) is None


@given(st.lists(UPDATE, max_size=12))
def test_the_list_stays_valid_after_any_calls(calls: list[dict[str, Any]]) -> None:
    tasks = made("a", "b", "c", "d")
    for arguments in calls:
        tasks, _ = call(tasks, "TaskUpdate", arguments)
        assert find_problem(tasks) is None
        for task in tasks:
            assert task.number not in _reached(tasks, task)


def _reached(tasks: TaskList, task: Task) -> set[int]:
    """The tasks that block a task, directly or through others."""
    reached: set[int] = set()
    ahead = [*task.blocked_by]
    while ahead:
        number = ahead.pop()
        other = tasks.find(number)
        if number not in reached and other is not None:
            reached.add(number)
            ahead += other.blocked_by
    return reached
