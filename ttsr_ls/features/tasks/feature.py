"""The task list as a feature (spec Y5, Y6): its tools, the detection of their use, and the reminder.

`evolve` derives its entire state from the log. It adds to the history only by the request's handle.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, assert_never

from ttsr_ls.features.tasks.records import FEATURE, TaskToolUsed, from_event, to_event
from ttsr_ls.features.tasks.reminding import DEFAULT_POLICY, NoReminder, Reminder, ReminderPolicy, reminder_for
from ttsr_ls.features.tasks.state import TaskFold
from ttsr_ls.features.tasks.task import TaskList
from ttsr_ls.features.tasks.tools import TASK_TOOLS, TaskCallDone, TaskCallRefused, TaskTool
from ttsr_ls.session.history.turn_events import MAIN_AGENT, FeatureRecorded, TurnEvent
from ttsr_ls.session.hooks.authority import Authority, grants_authority
from ttsr_ls.session.hooks.contract import (
    Append,
    Feature,
    Note,
    Proceed,
    RequestContext,
    RequestResult,
    ToolResultContext,
    ToolResultResult,
)
from ttsr_ls.session.hooks.feature_tools import FeatureTool, ToolDone, ToolFailed

_CHANGING = frozenset(tool.name for tool in TASK_TOOLS if tool.changes)


@grants_authority(Authority.WORDS)
class TaskFeature(Feature):
    """The task list of one session. Only the session's own agent gets reminders."""

    name = FEATURE

    def __init__(self, policy: ReminderPolicy = DEFAULT_POLICY) -> None:
        self._policy = policy
        self._agent = MAIN_AGENT
        self._fold = TaskFold(self._agent)
        self.tools = tuple(
            FeatureTool(tool.name, tool.description, tool.schema, self._runner(tool)) for tool in TASK_TOOLS
        )

    def can_read(self, record: FeatureRecorded) -> bool:
        """False for a record of another version: without its tasks, their numbers would be reused."""
        return from_event(record) is not None

    @property
    def tasks(self) -> TaskList:
        """The current tasks, for display."""
        return self._fold.state.tasks

    def begin_session(self, agent: str) -> None:
        """Sets the agent whose requests are counted and that is reminded."""
        self._agent = agent
        self._fold = TaskFold(agent)

    def evolve(self, event: TurnEvent) -> None:
        """Updates the task list by an event of the log."""
        self._fold.evolve(event)

    async def on_request(self, context: RequestContext) -> RequestResult:
        """Injects a reminder of tasks that were not worked on for long, and the task list after a compaction."""
        if context.agent != self._agent:
            return Proceed()
        reminder = reminder_for(self._fold.state, self._policy)
        match reminder:
            case Reminder(text, record):
                return Append((context.items.reminder(text),), (to_event(record),))
            case NoReminder():
                return Proceed()
            case _:
                assert_never(reminder)

    async def on_tool_result(self, context: ToolResultContext) -> ToolResultResult:
        """Records that the model used a task tool, whether or not the call succeeded."""
        return Note((to_event(TaskToolUsed(context.tool)),)) if context.tool in _CHANGING else Proceed()

    def _runner(self, tool: TaskTool) -> Callable[[Any], Awaitable[ToolDone | ToolFailed]]:
        async def run(arguments: Any) -> ToolDone | ToolFailed:
            answer = tool.run(self._fold.state.tasks, arguments)
            match answer:
                case TaskCallDone(text, records):
                    return ToolDone(text, tuple(to_event(record) for record in records))
                case TaskCallRefused(text):
                    return ToolFailed(text)
                case _:
                    assert_never(answer)

        return run
