"""What the task list puts on record, and reading it again.

Each record is the content of a `FeatureRecorded` in a session log. What is added later, a kind of record or a field
with a default, leaves older logs readable; whatever changes a meaning raises `VERSION`.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from ttsr_ls.features.tasks.task import Task
from ttsr_ls.session.history.recorded import Recorded
from ttsr_ls.session.history.turn_events import FeatureRecorded

FEATURE = "tasks"
"""The name under which the task list is on record."""

VERSION = 1


class TasksWritten(Recorded, frozen=True):
    """These tasks are now as they are here, be they new, changed or deleted; all others stay as they are."""

    tasks: tuple[Task, ...]


class TasksRestored(Recorded, frozen=True):
    """The list now has these tasks and no others. `last` is the highest number that was ever used."""

    tasks: tuple[Task, ...]
    last: int


class TaskToolUsed(Recorded, frozen=True):
    """The model called a tool that changes tasks, whether or not the call succeeded."""

    tool: str


class TaskReminderInjected(Recorded, frozen=True, tag="RemindedOfTasks"):
    """A reminder of the open tasks was injected because the model has not touched any for long."""


class TaskListInjected(Recorded, frozen=True, tag="ToldOfTasks"):
    """The list of all tasks was injected because a compaction took it out of the model's sight."""


TaskRecord = TasksWritten | TasksRestored | TaskToolUsed | TaskReminderInjected | TaskListInjected


class _Line(Struct, frozen=True):
    v: int
    record: TaskRecord


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(_Line)


def recorded(record: TaskRecord) -> FeatureRecorded:
    """The event with a record. No text in it may contain a lone surrogate; `tools` admits none."""
    return FeatureRecorded(FEATURE, _ENCODER.encode(_Line(VERSION, record)).decode())


def read(event: FeatureRecorded) -> TaskRecord | None:
    """The record in an event; None if it belongs to another feature or this version cannot read it."""
    if event.feature != FEATURE:
        return None
    try:
        line = _DECODER.decode(event.content)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None
    return line.record if line.v == VERSION else None
