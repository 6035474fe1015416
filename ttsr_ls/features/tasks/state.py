"""The task list of a session as the fold of its log, with the counts for the next reminder.

The same function runs live and at replay, so that a resumed session continues as if it had never stopped: tasks,
numbers, and the time of the next reminder. Rewinding restores the state at the start of the turn, clearing empties it,
compacting keeps it. Invalid events change nothing.
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
    from_event,
)
from ttsr_ls.features.tasks.task import TaskList, find_change_problem, find_problem
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
from ttsr_ls.session.lifecycle.unpack_records import unpack_records


class TaskState(Struct, frozen=True, gc=False):
    """Tasks, and the model's use of them. Requests are counted while there are unfinished tasks, at their answers.

    `requests` is their number, `used_at` their number when the model last used a tool that changes tasks, `reminded_at`
    their number at the last reminder; None: never. `out_of_sight` is true if a compaction removed the tasks from the
    model's context.
    """

    tasks: TaskList = TaskList()
    requests: int = 0
    used_at: int = 0
    reminded_at: int | None = None
    out_of_sight: bool = False

    def after(self, record: TaskRecord) -> TaskState:
        """Returns the state after a record of the task list itself."""
        match record:
            case TasksWritten():
                tasks = self.tasks.with_tasks(record.tasks)
                wrong = find_change_problem(self.tasks, tasks, record.tasks)
                return self if wrong is not None else replace(self, tasks=tasks)
            case TasksRestored():
                tasks = TaskList(record.tasks, record.last)
                return self if find_problem(tasks) is not None else replace(self, tasks=tasks)
            case TaskToolUsed():
                return replace(self, used_at=self.requests)
            case TaskReminderInjected():
                return replace(self, reminded_at=self.requests, out_of_sight=False)
            case TaskListInjected():
                return replace(self, out_of_sight=False)

    def answered(self) -> TaskState:
        """Returns the state after the model answered a request."""
        return replace(self, requests=self.requests + 1) if self.tasks.has_unfinished else self

    def compacted(self) -> TaskState:
        """Returns the state after a compaction."""
        return replace(self, out_of_sight=bool(self.tasks.tasks))


class TaskFold:
    """The current state for reminders of `agent`. Call `evolve` with each unpacked event in order; reading the state is
    cheap.
    """

    __slots__ = ("_agent", "_states")

    def __init__(self, agent: str = MAIN_AGENT) -> None:
        self._agent = agent
        self._states = Rewindable(TaskState())

    @property
    def state(self) -> TaskState:
        """The state after the events so far."""
        return self._states.now

    def evolve(self, event: TurnEvent) -> None:
        """Updates the state by `event`."""
        self._states.evolve(event)
        self._states.now = _after(self.state, event, self._agent)


def _after(state: TaskState, event: TurnEvent, own: str) -> TaskState:
    match event:
        case FeatureRecorded():
            record = from_event(event)
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
    """Returns the state after all events of the log of a session of `agent`."""
    state = TaskFold(agent)
    for event in events:
        for record in unpack_records(event):
            state.evolve(record)
    return state.state
