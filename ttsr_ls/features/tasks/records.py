"""The records of the task list, and parsing them.

Each record is the content of a `FeatureRecorded` in a session log. A new kind of record, or a new field with a default,
keeps older logs readable; a change of meaning increases `VERSION`.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from ttsr_ls.features.tasks.task import Task
from ttsr_ls.session.history.recorded_value import RecordedValue
from ttsr_ls.session.history.turn_events import FeatureRecorded
from ttsr_ls.typed_values import json_decoder

FEATURE = "tasks"
"""The name of the feature in records."""

VERSION = 1


class TasksWritten(RecordedValue, frozen=True):
    """These tasks were created, changed or deleted. All other tasks are unchanged."""

    tasks: tuple[Task, ...]


class TasksRestored(RecordedValue, frozen=True):
    """The list was replaced by these tasks. `last` is the highest number that was ever used."""

    tasks: tuple[Task, ...]
    last: int


class TaskToolUsed(RecordedValue, frozen=True):
    """The model called a tool that changes tasks, whether or not the call succeeded."""

    tool: str


class TaskReminderInjected(RecordedValue, frozen=True, tag="RemindedOfTasks"):
    """A reminder of the open tasks was injected because the model had not used a task tool for long."""


class TaskListInjected(RecordedValue, frozen=True, tag="ToldOfTasks"):
    """The task list was injected because a compaction had removed it from the model's context."""


TaskRecord = TasksWritten | TasksRestored | TaskToolUsed | TaskReminderInjected | TaskListInjected


class _Line(Struct, frozen=True):
    v: int
    record: TaskRecord


_ENCODER = msgspec.json.Encoder()
_DECODER = json_decoder(_Line)


def to_event(record: TaskRecord) -> FeatureRecorded:
    """Returns the event for a record. No text in it may contain a lone surrogate; `tools` admits none."""
    return FeatureRecorded(FEATURE, _ENCODER.encode(_Line(VERSION, record)).decode())


def from_event(event: FeatureRecorded) -> TaskRecord | None:
    """Returns the record in an event; None if it belongs to another feature or this version cannot read it."""
    if event.feature != FEATURE:
        return None
    try:
        line = _DECODER.decode(event.content)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None
    return line.record if line.v == VERSION else None
