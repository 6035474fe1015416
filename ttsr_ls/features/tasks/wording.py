"""The texts about tasks for models: lists, single tasks, reminders. Their length is bounded."""

from __future__ import annotations

from collections import Counter

from ttsr_ls.features.tasks.task import Task, TaskList, TaskStatus
from ttsr_ls.session.lifecycle.templates import escape_host_tags

MAX_SHOWN = 20
"""The most tasks that a reminder lists; it gives the number of the others."""


def task_counts(tasks: TaskList) -> str:
    """Returns the numbers of tasks by status, in one line."""
    if not tasks.tasks:
        return "No tasks."
    counts = Counter(task.status for task in tasks)
    parts = [f"{counts[status]} {status.value}" for status in TaskStatus if counts[status]]
    return f"{_count(len(tasks.tasks))}: {', '.join(parts)}."


def task_lines(tasks: TaskList) -> str:
    """Returns all tasks, one for each line, after their overview."""
    return "\n".join([task_counts(tasks), *(_task_line(tasks, task) for task in tasks)])


def task_description(tasks: TaskList, number: int) -> str:
    """Returns the complete description of one task, which must be in the list."""
    task = tasks.find(number)
    assert task is not None, "callers look the number up first"
    lines = [f"Task {task.number}: {task.subject}", f"Status: {task.status.value}"]
    if task.active_form:
        lines.append(f"Under way: {task.active_form}")
    if task.blocked_by:
        lines.append(f"Comes after: {_numbers(task.blocked_by)}")
    following = tasks.blocked_by(number)
    if following:
        lines.append(f"Comes before: {_numbers(following)}")
    return "\n".join([*lines, "Description:", task.description or "(none)"])


def reminder(tasks: TaskList) -> str:
    """Returns the reminder for a model that has not changed its unfinished tasks for long."""
    unfinished = len(tasks.unfinished)
    heading = (
        f"{_count(unfinished)} of this session {'is' if unfinished == 1 else 'are'} still open, "
        "and none was changed for a while.\n"
        "If work on one has begun or is done, say so with TaskUpdate, and delete what is not needed any more.\n"
        "If nothing has changed, go on; there is no need to mention this."
    )
    return _tagged_list("task_inactivity", heading, tasks)


def compaction_note(tasks: TaskList) -> str:
    """Returns the task list for a model from whose context a compaction removed it."""
    heading = f"The tasks of this session are kept; TaskList shows all. {task_counts(tasks)}"
    return _tagged_list("compaction", heading, tasks)


def _tagged_list(reason: str, heading: str, tasks: TaskList) -> str:
    text = escape_host_tags("\n".join([heading, *_unfinished_in_lines(tasks)]))
    return f'<system-reminder reason="{reason}">\n{text}\n</system-reminder>'


def _unfinished_in_lines(tasks: TaskList) -> list[str]:
    unfinished = tasks.unfinished
    lines = [_task_line(tasks, task) for task in unfinished[:MAX_SHOWN]]
    rest = len(unfinished) - len(lines)
    return [*lines, f"and {rest} more; TaskList shows all"] if rest else lines


def _task_line(tasks: TaskList, task: Task) -> str:
    before = tasks.open_blockers(task)
    waits = f" (after {_numbers(before)})" if before else ""
    return f"{task.number}. [{task.status.value}] {task.subject}{waits}"


def _numbers(numbers: tuple[int, ...]) -> str:
    return ", ".join(str(number) for number in numbers)


def _count(number: int) -> str:
    return "1 task" if number == 1 else f"{number} tasks"
