"""The task list of a session as the fold of its log, with what it takes to know when a reminder is due.

Live and at replay by the same function, so that a session taken up again goes on as if it had never stopped: tasks,
numbers, and how long it is until the next reminder. Rewinding restores what was when the turn began, clearing leaves
nothing, compacting keeps all. What cannot be changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.features.tasks.records import (
    TaskListInjected,
    TaskRecord,
    TaskReminderInjected,
    TasksRestored,
    TasksWritten,
    TaskToolUsed,
    read,
)
from ttsr_ls.features.tasks.task import TaskList, invalid, invalid_change
from ttsr_ls.session.history.rewindable import Rewindable
from ttsr_ls.session.history.turn import CompactionSummary
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    FeatureRecorded,
    HistoryCompacted,
    ModelCall,
    StepAppended,
    TurnEvent,
)
from ttsr_ls.session.lifecycle.unpack_records import unpacked


class TaskState(Struct, frozen=True, gc=False):
    """Tasks, and how the model has dealt with them.

    Requests are counted while there are unfinished tasks, at their answers. `requests` is their number, `used_at` what
    it was when the model last used a tool that changes tasks, `reminded_at` when it was last reminded; None: never.
    `out_of_sight`: a compaction took what the model knew of its tasks.
    """

    tasks: TaskList = TaskList()
    requests: int = 0
    used_at: int = 0
    reminded_at: int | None = None
    out_of_sight: bool = False

    def after(self, record: TaskRecord) -> TaskState:
        """The state after a record of the task list itself."""
        match record:
            case TasksWritten():
                tasks = self.tasks.with_tasks(record.tasks)
                wrong = invalid_change(self.tasks, tasks, record.tasks)
                return self if wrong is not None else replace(self, tasks=tasks)
            case TasksRestored():
                tasks = TaskList(record.tasks, record.last)
                return self if invalid(tasks) is not None else replace(self, tasks=tasks)
            case TaskToolUsed():
                return replace(self, used_at=self.requests)
            case TaskReminderInjected():
                return replace(self, reminded_at=self.requests, out_of_sight=False)
            case TaskListInjected():
                return replace(self, out_of_sight=False)

    def answered(self) -> TaskState:
        """The state after the model answered a request."""
        return replace(self, requests=self.requests + 1) if self.tasks.has_unfinished else self

    def compacted(self) -> TaskState:
        """The state after a compaction."""
        return replace(self, out_of_sight=bool(self.tasks.tasks))


class TaskFold:
    """The state so far, as `agent` is to be reminded. `evolve` by each event in turn, unpacked; reading is free."""

    __slots__ = ("_agent", "_states")

    def __init__(self, agent: str = MAIN_AGENT) -> None:
        self._agent = agent
        self._states = Rewindable(TaskState())

    @property
    def state(self) -> TaskState:
        """The state after the events so far."""
        return self._states.now

    def evolve(self, event: TurnEvent) -> None:
        """The state after `event`."""
        self._states.evolve(event)
        self._states.now = _after(self.state, event, self._agent)


def _after(state: TaskState, event: TurnEvent, own: str) -> TaskState:
    match event:
        case FeatureRecorded():
            record = read(event)
            return state if record is None else state.after(record)
        case StepAppended(content=ModelCall(agent=agent)) if agent == own:
            return state.answered()
        case (
            StepAppended(content=CompactionSummary(agent=agent))
            | HistoryCompacted(steps=(CompactionSummary(agent=agent), *_))
        ) if agent == own:
            return state.compacted()
        case _:
            return state


def fold(events: Iterable[TurnEvent], agent: str = MAIN_AGENT) -> TaskState:
    """The state after all events of the log of a session of `agent`."""
    state = TaskFold(agent)
    for event in events:
        for each in unpacked(event):
            state.evolve(each)
    return state.state
