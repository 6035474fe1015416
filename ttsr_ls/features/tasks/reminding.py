"""Decides when a model is reminded of its tasks: after long inactivity, then not again for a while (spec Y6).

Counted in requests while there are unfinished tasks, never in time, so that a replayed or resumed session reminds at
the same requests.
"""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.features.tasks.records import TaskListInjected, TaskRecord, TaskReminderInjected
from ttsr_ls.features.tasks.state import TaskState
from ttsr_ls.features.tasks.wording import compaction_note, reminder


class ReminderPolicy(Struct, frozen=True):
    """The `after`th request without a change of a task carries a reminder; the next reminder comes at least `cooldown`
    requests later.
    """

    after: int = 24
    cooldown: int = 24


DEFAULT_POLICY = ReminderPolicy()


class Reminder(Struct, frozen=True):
    """The text that is injected into the next request, once `record` is on record."""

    text: str
    record: TaskRecord


class NoReminder(Struct, frozen=True):
    """No reminder is injected into the next request."""


def reminder_for(state: TaskState, policy: ReminderPolicy) -> Reminder | NoReminder:
    """Returns the reminder for the request that is about to be sent."""
    if state.out_of_sight:
        return Reminder(compaction_note(state.tasks), TaskListInjected())
    if not state.tasks.has_unfinished:
        return NoReminder()
    this_request = state.requests + 1
    is_idle = this_request - state.used_at >= policy.after
    has_cooled = state.reminded_at is None or this_request - state.reminded_at > policy.cooldown
    return Reminder(reminder(state.tasks), TaskReminderInjected()) if is_idle and has_cooled else NoReminder()
