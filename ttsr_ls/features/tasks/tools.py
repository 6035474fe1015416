"""The tools by which a model maintains its task list, and the effect of each call.

Pure: a call receives the current list, and returns an answer with the records that change the list. The caller puts the
records on record before it answers, so that the answer is true.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct, UnsetType
from msgspec.structs import replace

from ttsr_ls.features.tasks.arguments import (
    BadArguments,
    TaskCreateArguments,
    TaskGetArguments,
    TaskListArguments,
    TaskUpdateArguments,
    read_arguments,
)
from ttsr_ls.features.tasks.records import TaskRecord, TasksWritten
from ttsr_ls.features.tasks.task import Task, TaskList, TaskStatus, find_change_problem
from ttsr_ls.features.tasks.wording import task_counts, task_description, task_lines
from ttsr_ls.rules.tool_schema import json_schema


class TaskCallDone(Struct, frozen=True):
    """The call succeeded. `text` is for the model, once all `records` are on record, in order."""

    text: str
    records: tuple[TaskRecord, ...]


class TaskCallRefused(Struct, frozen=True):
    """The call was refused. `text` gives the model the reason and what to do instead."""

    text: str


ToolAnswer = TaskCallDone | TaskCallRefused


class TaskTool(Struct, frozen=True):
    """A tool as offered to models. `changes` is true if a call shows that the model maintains its tasks."""

    name: str
    description: str
    schema: Mapping[str, Any]
    changes: bool
    run: Callable[[TaskList, object], ToolAnswer]


def _create(tasks: TaskList, arguments: object) -> ToolAnswer:
    match read_arguments("TaskCreate", TaskCreateArguments, arguments):
        case BadArguments(message):
            return TaskCallRefused(message)
        case TaskCreateArguments(subject, description, active_form):
            form = "" if isinstance(active_form, UnsetType) else _line(active_form)
            task = Task(tasks.last + 1, _line(subject), description.strip(), active_form=form)
            return _recorded(tasks, (task,), f"Created task {task.number}: {task.subject}")


def _update(tasks: TaskList, arguments: object) -> ToolAnswer:
    match read_arguments("TaskUpdate", TaskUpdateArguments, arguments):
        case BadArguments(message):
            return TaskCallRefused(message)
        case TaskUpdateArguments() as changes:
            return _updated(tasks, changes)


def _updated(tasks: TaskList, arguments: TaskUpdateArguments) -> ToolAnswer:
    links = (arguments.add_blocks, arguments.add_blocked_by, arguments.remove_blocked_by)
    found = [_task_numbers(tasks, ids) for ids in ([arguments.task_id], *links)]
    for item in found:
        if isinstance(item, TaskCallRefused):
            return item
    (number,), dependents, blockers, removed = (item for item in found if not isinstance(item, TaskCallRefused))
    task = tasks.find(number)
    assert task is not None, "the number was looked up before"
    kept_blockers = (item for item in task.blocked_by if item not in removed)
    changed = {number: _with_blockers(_with_fields(task, arguments), (*kept_blockers, *blockers))}
    for dependent in dependents:
        other = changed.get(dependent) or tasks.find(dependent)
        assert other is not None, "the number was looked up before"
        changed[dependent] = _with_blockers(other, (*other.blocked_by, number))
    different = tuple(task for task in changed.values() if task != tasks.find(task.number))
    if not different:
        return TaskCallRefused(f"Task {number} is so already; say what is to change about it.")
    after = changed[number]
    verb = "Deleted" if after.status is TaskStatus.DELETED else "Updated"
    return _recorded(tasks, different, f"{verb} task {number} ({after.status.value}): {after.subject}")


def _get(tasks: TaskList, arguments: object) -> ToolAnswer:
    match read_arguments("TaskGet", TaskGetArguments, arguments):
        case BadArguments(message):
            return TaskCallRefused(message)
        case TaskGetArguments(task_id):
            found = _task_numbers(tasks, [task_id])
            return found if isinstance(found, TaskCallRefused) else TaskCallDone(task_description(tasks, found[0]), ())


def _list(tasks: TaskList, arguments: object) -> ToolAnswer:
    match read_arguments("TaskList", TaskListArguments, arguments):
        case BadArguments(message):
            return TaskCallRefused(message)
        case TaskListArguments():
            return TaskCallDone(task_lines(tasks), ())


TASK_TOOLS = (
    TaskTool(
        "TaskCreate",
        "Adds a task to the list of this session's tasks, which the user sees. Use it for work that takes several "
        "steps worth telling apart, not for a question or a single step. The task gets a number and begins as pending.",
        json_schema(TaskCreateArguments),
        True,
        _create,
    ),
    TaskTool(
        "TaskUpdate",
        "Changes a task: its status as the work goes on, its words, and which tasks come before it. Set in_progress "
        "when you begin with a task, and completed only when it is done; if something stops you, leave it as it is "
        "and say so. A deleted task is gone.",
        json_schema(TaskUpdateArguments),
        True,
        _update,
    ),
    TaskTool(
        "TaskGet",
        "Shows one task in full: its description, what it waits for, and what waits for it.",
        json_schema(TaskGetArguments),
        False,
        _get,
    ),
    TaskTool(
        "TaskList",
        "Lists all tasks of this session, one a line: number, status, subject, and which unfinished tasks come before.",
        json_schema(TaskListArguments),
        False,
        _list,
    ),
)
"""All tools of the task list."""


def _recorded(tasks: TaskList, changed: tuple[Task, ...], text: str) -> ToolAnswer:
    after = tasks.with_tasks(changed)
    problem = find_change_problem(tasks, after, changed)
    if problem is not None:
        return TaskCallRefused(f"{problem.message} Nothing was changed.")
    return TaskCallDone(f"{text}\n{task_counts(after)}", (TasksWritten(changed),))


def _with_fields(task: Task, arguments: TaskUpdateArguments) -> Task:
    return replace(
        task,
        status=task.status if isinstance(arguments.status, UnsetType) else TaskStatus(arguments.status),
        subject=task.subject if isinstance(arguments.subject, UnsetType) else _line(arguments.subject),
        description=task.description if isinstance(arguments.description, UnsetType) else arguments.description.strip(),
        active_form=task.active_form if isinstance(arguments.active_form, UnsetType) else _line(arguments.active_form),
    )


def _with_blockers(task: Task, blockers: tuple[int, ...]) -> Task:
    return replace(task, blocked_by=tuple(dict.fromkeys(blockers)))


def _task_numbers(tasks: TaskList, ids: list[str] | UnsetType) -> tuple[int, ...] | TaskCallRefused:
    """Returns the numbers of existing tasks; some models write `#3` for `3`."""
    found = []
    for number in () if isinstance(ids, UnsetType) else ids:
        digits = number.strip().removeprefix("#")
        if not (digits.isascii() and digits.isdigit() and tasks.find(int(digits))):
            return TaskCallRefused(f"There is no task {number!r}. TaskList shows the tasks with their numbers.")
        found.append(int(digits))
    return tuple(found)


def _line(text: str) -> str:
    return " ".join(text.split())
