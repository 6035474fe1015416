"""A task and the task list (spec Y5): values, and the validity of a list.

A model supplies all of it, so everything is bounded. `tools` implements the tools.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.session.history.recorded_value import RecordedValue

MAX_TASKS = 200
MAX_SUBJECT = 300
"""The longest subject, in characters; it is one line."""
MAX_DESCRIPTION = 10_000
MAX_LINKS = 50
"""The most tasks that can block one task."""
MAX_NUMBER = 1_000_000_000


class TaskStatus(StrEnum):
    """The state of a task. A deleted task is in no list; it exists only in the record of its deletion."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    DELETED = "deleted"


class Task(RecordedValue, frozen=True):
    """A task on an agent's list.

    `number` is never reused in its session. `active_form` is the subject as an activity ("Running the tests"), empty if
    the subject serves. `blocked_by` are the numbers of the tasks that must be done first.
    """

    number: int
    subject: str
    description: str
    status: TaskStatus = TaskStatus.PENDING
    active_form: str = ""
    blocked_by: tuple[int, ...] = ()

    @property
    def is_unfinished(self) -> bool:
        """True if the work is not done yet."""
        return self.status in (TaskStatus.PENDING, TaskStatus.IN_PROGRESS)


class TaskList(Struct, frozen=True):
    """Tasks by number, in order of creation. `last` is the highest number that was ever used."""

    tasks: tuple[Task, ...] = ()
    last: int = 0

    def __iter__(self) -> Iterator[Task]:
        return iter(self.tasks)

    def find(self, number: int) -> Task | None:
        """Returns the task with a number; None if there is none."""
        return next((task for task in self.tasks if task.number == number), None)

    @property
    def has_unfinished(self) -> bool:
        """True if some task is not done yet."""
        return any(task.is_unfinished for task in self.tasks)

    @property
    def unfinished(self) -> tuple[Task, ...]:
        """The tasks that are not done yet."""
        return tuple(task for task in self.tasks if task.is_unfinished)

    def open_blockers(self, task: Task) -> tuple[int, ...]:
        """Returns the unfinished tasks that must be done before `task`."""
        unfinished = {other.number for other in self.tasks if other.is_unfinished}
        return tuple(number for number in task.blocked_by if number in unfinished)

    def blocked_by(self, number: int) -> tuple[int, ...]:
        """Returns the tasks that the task with this number blocks."""
        return tuple(task.number for task in self.tasks if number in task.blocked_by)

    def with_tasks(self, changed: tuple[Task, ...]) -> TaskList:
        """Returns the list with these tasks changed: new ones at its end, deleted ones removed, and no longer
        blocking.
        """
        tasks = {task.number: task for task in self.tasks} | {task.number: task for task in changed}
        deleted = {task.number for task in changed if task.status is TaskStatus.DELETED}
        kept = tuple(_without_blockers(task, deleted) for task in tasks.values() if task.number not in deleted)
        return TaskList(kept, max(self.last, *(task.number for task in changed)) if changed else self.last)


class InvalidTasks(Struct, frozen=True):
    """A problem of a task list, as a sentence for the caller."""

    message: str


def find_problem(tasks: TaskList) -> InvalidTasks | None:
    """Returns the first problem of a task list, None if it is valid."""
    if len({task.number for task in tasks}) < len(tasks.tasks):
        return InvalidTasks("Two tasks have one number.")
    return find_change_problem(TaskList(), tasks, tasks.tasks)


def find_change_problem(before: TaskList, after: TaskList, changed: tuple[Task, ...]) -> InvalidTasks | None:
    """Returns the first problem of a changed task list, None if it is valid.

    Examines only the changed tasks, because a log has many changes; takes time linear in the list only if tasks are
    newly blocked.
    """
    if len(after.tasks) > MAX_TASKS:
        return InvalidTasks(
            f"There are {MAX_TASKS} tasks already, as many as are kept. Delete tasks that are completed first."
        )
    known = {task.number for task in after}
    for task in changed:
        message = _invalid_task(task, known, after.last) if task.number in known else _invalid_number(task, after.last)
        if message is not None:
            return InvalidTasks(message)
    has_new_blockers = any(not _blockers(before, task.number).issuperset(task.blocked_by) for task in changed)
    return _find_cycle(after) if has_new_blockers else None


def _blockers(tasks: TaskList, number: int) -> frozenset[int]:
    task = tasks.find(number)
    return frozenset() if task is None else frozenset(task.blocked_by)


def _invalid_number(task: Task, last: int) -> str | None:
    return None if 1 <= task.number <= min(last, MAX_NUMBER) else f"{task.number} is not a number for a task."


def _invalid_task(task: Task, known: set[int], last: int) -> str | None:
    number = _invalid_number(task, last)
    if number is not None:
        return number
    if task.status is TaskStatus.DELETED:
        return f"Task {task.number} is deleted."
    if not task.subject.strip():
        return "The subject of a task must say something."
    if len(task.subject) > MAX_SUBJECT:
        return f"The subject has {len(task.subject)} characters; at most {MAX_SUBJECT} are kept."
    if len(task.active_form) > MAX_SUBJECT:
        return f"The active form has {len(task.active_form)} characters; at most {MAX_SUBJECT} are kept."
    if len(task.description) > MAX_DESCRIPTION:
        return f"The description has {len(task.description)} characters; at most {MAX_DESCRIPTION} are kept."
    if len(task.blocked_by) > MAX_LINKS:
        return f"Task {task.number} would wait for {len(task.blocked_by)} tasks; at most {MAX_LINKS} are kept."
    if task.number in task.blocked_by:
        return f"Task {task.number} cannot wait for itself."
    unknown = next((number for number in task.blocked_by if number not in known), None)
    return None if unknown is None else f"There is no task {unknown} to wait for."


def _find_cycle(tasks: TaskList) -> InvalidTasks | None:
    """Removes tasks without blocking tasks until none is left; the remaining tasks form a cycle."""
    waiting = {task.number: len(set(task.blocked_by)) for task in tasks}
    dependents: dict[int, list[int]] = {}
    for task in tasks:
        for number in set(task.blocked_by):
            dependents.setdefault(number, []).append(task.number)
    free = [number for number, count in waiting.items() if not count]
    while free:
        number = free.pop()
        del waiting[number]
        for other in dependents.get(number, ()):
            waiting[other] -= 1
            if not waiting[other]:
                free.append(other)
    if not waiting:
        return None
    return InvalidTasks(f"Tasks would wait for each other in a circle: {_describe_cycle(tasks, waiting)}.")


def _describe_cycle(tasks: TaskList, waiting: dict[int, int]) -> str:
    """Describes a cycle among tasks each of which waits for another one of them."""
    path = [next(iter(waiting))]
    while True:
        task = tasks.find(path[-1])
        assert task is not None, "all waiting tasks are in the list"
        blocker = next(number for number in task.blocked_by if number in waiting)
        if blocker in path:
            cycle = path[path.index(blocker) :]
            first = cycle.index(min(cycle))
            return " waits for ".join(str(number) for number in [*cycle[first:], *cycle[: first + 1]])
        path.append(blocker)


def _without_blockers(task: Task, deleted: set[int]) -> Task:
    if deleted.isdisjoint(task.blocked_by):
        return task
    return replace(task, blocked_by=tuple(number for number in task.blocked_by if number not in deleted))
