"""A task list in a session log of its own, for the MCP server. Independent of MCP.

Persist first: the changes of a call are on disk before the call is answered. One process at a time writes the log.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from msgspec import Struct

from ttsr_ls.bridge.host.recorder import LogFailurePolicy
from ttsr_ls.bridge.watch.event_log import EventLog
from ttsr_ls.bridge.watch.null_log import NullLog
from ttsr_ls.errors import UsageError
from ttsr_ls.features.tasks.records import FEATURE, from_event, to_event
from ttsr_ls.features.tasks.state import TaskFold
from ttsr_ls.features.tasks.task import TaskList
from ttsr_ls.features.tasks.tools import TASK_TOOLS, TaskCallDone, TaskCallRefused
from ttsr_ls.session.history.turn_events import FeatureRecorded, SessionResumed, TurnEvent
from ttsr_ls.session.lifecycle.unpack_records import unpack_records
from ttsr_ls.store.log.errors import LogNotUnderstoodError, LogWriteError
from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.reader import LogProblem
from ttsr_ls.store.log.turn_log import TurnLog

_TOOLS = {tool.name: tool for tool in TASK_TOOLS}


class Reply(Struct, frozen=True):
    """The text that a tool call of an MCP client gets, or its error."""

    text: str
    is_error: bool


class StoredTasks:
    """The list in one log. Use `open` or `in_memory`; close it, or use it as a context manager."""

    def __init__(
        self,
        log: EventLog,
        now: Callable[[], int],
        *,
        close: Callable[[], None] = lambda: None,
        problems: tuple[LogProblem, ...] = (),
        on_log_failure: LogFailurePolicy = LogFailurePolicy.GO_ON,
    ) -> None:
        self._log = log
        self._now = now
        self._close = close
        self._on_log_failure = on_log_failure
        self._fold = TaskFold()
        self.problems = problems
        """The problems of the log, whose valid part is used."""
        self.refused = 0
        """The number of calls that changed nothing because the log could not be written."""

    @classmethod
    def open(
        cls,
        path: Path,
        header: Header,
        now: Callable[[], int],
        on_log_failure: LogFailurePolicy = LogFailurePolicy.GO_ON,
    ) -> Self:
        """Opens the list in the log at `path`, which is created with `header` if missing.

        `now` returns milliseconds since the Unix epoch. Raises LogWriteError if the log cannot be written,
        LogNotUnderstoodError if another version of this program wrote it.
        """
        log, content = TurnLog.open_with_content(path, header)
        try:
            tasks = cls(log, now, close=log.close, problems=content.problems, on_log_failure=on_log_failure)
            for record in content.records:
                for event in unpack_records(record.event):
                    _check_readable(path, event)
                    tasks._fold.evolve(event)
            if content.records:
                tasks._fold.evolve(log.append(SessionResumed(), now()).event)
        except LogWriteError:
            log.close()
            raise
        return tasks

    @classmethod
    def in_memory(cls, now: Callable[[], int]) -> Self:
        """A list that ends with the program."""
        return cls(NullLog(), now)

    @property
    def tasks(self) -> TaskList:
        """The current tasks."""
        return self._fold.state.tasks

    def call(self, tool: str, arguments: object) -> Reply:
        """Runs a call of one of `TASK_TOOLS`. Changes nothing if the change cannot be recorded.

        In that case the reply is an error, or LogWriteError is raised, depending on `on_log_failure`.
        """
        if tool not in _TOOLS:
            raise UsageError(f"there is no tool {tool}")
        answer = _TOOLS[tool].run(self.tasks, arguments)
        match answer:
            case TaskCallRefused(text):
                return Reply(text, is_error=True)
            case TaskCallDone(text, records):
                try:
                    for record in records:
                        self._fold.evolve(self._log.append(to_event(record), self._now()).event)
                except LogWriteError as error:
                    self.refused += 1
                    if self._on_log_failure is LogFailurePolicy.STOP:
                        raise
                    return Reply(f"Nothing was changed: {error}", is_error=True)
                return Reply(text, is_error=False)

    def close(self) -> None:
        """Closes the log and releases its lock."""
        self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _check_readable(path: Path, event: TurnEvent) -> None:
    """Raises LogNotUnderstoodError for an unreadable record: without its tasks, their numbers would be reused."""
    if isinstance(event, FeatureRecorded) and event.feature == FEATURE and from_event(event) is None:
        raise LogNotUnderstoodError(
            f"the session log {path} has tasks that another version of ttsr-ls wrote, so nothing is added to it; "
            "update ttsr-ls to continue this list, or name another file to begin a new one"
        )
