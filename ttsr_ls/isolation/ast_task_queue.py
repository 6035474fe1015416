"""One parsing process, and its tasks in order. Each task is sent to it at once, before it has finished earlier ones.

Owns the time limits, and the recovery when the process hangs or ends: the request that it was working on has failed,
and a new process does the rest. `ast_pool` creates the tasks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from enum import Enum
from time import monotonic
from typing import Any

from ttsr_ls.isolation.worker import Worker, WorkerLostError
from ttsr_ls.matching.ast.search import AstFailure

WORKER = "ttsr_ls.isolation.ast_worker"
_START_LIMIT = 20.0
"""Seconds for a process to start: many, because the machine may be busy, and it happens once."""

STEP_LIMIT = 3.0
"""Seconds of processor time for parsing one text, and for matching one pattern. The longest text that is parsed takes
half a second.
"""

SEARCH_LIMIT = 10.0
"""Seconds for one task in all."""


class Failures:
    """The number of failures of tasks, in all processes together."""

    __slots__ = ("_left",)

    def __init__(self, maximum: int) -> None:
        self._left = maximum

    def add(self) -> None:
        """Records that a process had to be stopped."""
        self._left -= 1

    @property
    def are_too_many(self) -> bool:
        """True if no further search is tried."""
        return self._left <= 0


class PatternQuery(Enum):
    """A query about a pattern, without a text."""

    REQUIRED_WORDS = "required_words"
    SHAPES = "shapes"


class AstTask:
    """Distinct patterns that are searched for in a text, or queried."""

    __slots__ = ("_common", "_is_parsed", "_left", "answers")

    def __init__(self, subject: str | PatternQuery, language: str, patterns: Sequence[str], limit: int = 1) -> None:
        """`subject` is the text, or the query; `limit` is the most matches of each pattern."""
        self.answers: dict[str, Any] = {}
        """For each pattern, once known: its matches `[start, end]`, required words, or shape; or an `AstFailure`."""
        about = {"query": subject.value} if isinstance(subject, PatternQuery) else {"text": subject, "limit": limit}
        self._common: dict[str, Any] = {**about, "language": language}
        self._left = deque(patterns)
        self._is_parsed = False

    @property
    def is_done(self) -> bool:
        """True if each pattern has an answer."""
        return not self._left

    @property
    def size(self) -> int:
        """The approximate number of characters to send."""
        return len(self._common.get("text", ""))

    def request(self) -> dict[str, Any]:
        """Returns the request for a process, with the patterns that have no answer."""
        self._is_parsed = "text" not in self._common
        return {**self._common, "patterns": tuple(self._left)}

    def take(self, answer: Any) -> None:
        """Takes the next answer of a process."""
        if not self._is_parsed:
            self._is_parsed = True
        else:
            self.answers[self._left.popleft()] = answer

    def fail(self) -> str | None:
        """Records that the process was lost before its next answer. Returns the pattern at fault, if any."""
        if not self._is_parsed:
            self.give_up(AstFailure.TEXT)
            return None
        pattern = self._left.popleft()
        self.answers[pattern] = AstFailure.PATTERN
        return pattern

    def leave_out(self, pattern: str) -> None:
        """Marks a pattern as failed, before the task is sent to a new process."""
        if pattern in self._left:
            self._left.remove(pattern)
            self.answers[pattern] = AstFailure.PATTERN

    def give_up(self, failure: AstFailure) -> None:
        """Sets `failure` as the result of all searches that are not done."""
        self.answers |= dict.fromkeys(self._left, failure)
        self._left.clear()


class AstTaskQueue:
    """Not safe to share between threads. The first task starts the process."""

    __slots__ = ("_deadline", "_failures", "_is_ready", "_is_unavailable", "_step_limit", "_tasks", "load", "worker")

    def __init__(self, step_limit: float, failures: Failures) -> None:
        self.worker: Worker | None = None
        self.load = 0
        """The length of the texts of all unfinished tasks."""
        self._tasks: deque[AstTask] = deque()
        self._step_limit = step_limit
        self._failures = failures
        self._is_ready = False
        self._is_unavailable = False
        self._deadline = 0.0

    @property
    def is_idle(self) -> bool:
        """True if all tasks are done."""
        return not self._tasks

    def start(self) -> None:
        """Starts the process if there is none, without waiting for it."""
        if self.worker is None and not self._is_unavailable:
            try:
                self.worker = Worker(WORKER)
            except WorkerLostError:
                self._is_unavailable = True

    def give(self, task: AstTask) -> None:
        """Adds a task, with at least one pattern."""
        if not self._tasks:
            self._deadline = monotonic() + SEARCH_LIMIT
        self._tasks.append(task)
        self.load += task.size
        self.start()
        if self.worker is not None:
            self.worker.ask(task.request())

    def finish(self, task: AstTask) -> None:
        """Waits until a task and all earlier ones are done."""
        try:
            while not task.is_done:
                self._advance()
        except BaseException:
            # The next task must not take the answers to abandoned ones.
            self.stop()
            raise

    def catch_up(self) -> None:
        """Takes the answers that have already arrived."""
        while self._tasks and self.worker is not None and self.worker.has_answered:
            self._advance()

    def stop(self) -> None:
        """Ends the process and forgets all tasks; another task would start it again."""
        self._tasks.clear()
        self.load = 0
        self._end()

    def _advance(self) -> None:
        """Handles the next answer for the first task, or its failure."""
        task = self._tasks[0]
        if task.is_done:
            pass
        elif self._failures.are_too_many:
            task.give_up(AstFailure.EXHAUSTED)
        elif not self._is_running():
            task.give_up(AstFailure.UNAVAILABLE)
        else:
            self._receive(task)
        if task.is_done:
            self._tasks.popleft()
            self.load -= task.size
            self._deadline = monotonic() + SEARCH_LIMIT

    def _receive(self, task: AstTask) -> None:
        assert self.worker is not None
        try:
            task.take(self.worker.answer(self._deadline - monotonic(), self._step_limit))
        except WorkerLostError:
            self._failures.add()
            pattern = task.fail()
            if monotonic() >= self._deadline:
                task.give_up(AstFailure.TEXT)
            self._end()
            self._resend(pattern)

    def _resend(self, failed_pattern: str | None) -> None:
        """Sends the unfinished tasks to a new process, without the pattern that failed."""
        for task in self._tasks:
            if failed_pattern is not None:
                task.leave_out(failed_pattern)
        tasks = [task for task in self._tasks if not task.is_done]
        if tasks and not self._failures.are_too_many:
            self.start()
            for task in tasks:
                if self.worker is not None:
                    self.worker.ask(task.request())

    def _is_running(self) -> bool:
        """Returns whether there is a process. Waits until a new one is ready."""
        if self.worker is not None and not self._is_ready:
            try:
                self._is_ready = self.worker.answer(_START_LIMIT) == "ready"
            except WorkerLostError:
                self._is_ready = False
            self._is_unavailable = not self._is_ready
            if self._is_unavailable:
                self._end()
        return self.worker is not None

    def _end(self) -> None:
        worker, self.worker = self.worker, None
        self._is_ready = False
        if worker is not None:
            worker.stop()
