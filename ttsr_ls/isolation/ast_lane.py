"""One process that parses, with the tasks that it was given, in order. It gets the next before it finished the last.

Owns the bounds of time and what becomes of the tasks when the process hangs or ends: whatever it was doing has failed,
and a new one does the rest. Which tasks there are is for `ast_pool` to say.
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
"""Seconds for a process to start: much, because the machine may be busy, and it happens once."""

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
        """A process had to be stopped."""
        self._left -= 1

    @property
    def are_too_many(self) -> bool:
        """True if it is time to stop trying."""
        return self._left <= 0


class PatternQuery(Enum):
    """A question about a pattern itself."""

    NEEDS = "needs"
    SHAPES = "shapes"


class AstTask:
    """Patterns, each given once, to be searched in a text or to be described."""

    __slots__ = ("_asked", "_is_parsed", "_left", "answers")

    def __init__(self, subject: str | PatternQuery, language: str, patterns: Sequence[str], limit: int = 1) -> None:
        """`subject` is the text, or what is asked of the patterns; `limit` is how many places of each are wanted."""
        self.answers: dict[str, Any] = {}
        """For each pattern, once it is known: its places `[start, end]`; its needs; its shape; or an `AstFailure`."""
        about = {"ask": subject.value} if isinstance(subject, PatternQuery) else {"text": subject, "most": limit}
        self._asked: dict[str, Any] = {**about, "language": language}
        self._left = deque(patterns)
        self._is_parsed = False

    @property
    def is_done(self) -> bool:
        """True if each pattern has an answer."""
        return not self._left

    @property
    def size(self) -> int:
        """The approximate number of characters to send."""
        return len(self._asked.get("text", ""))

    def request(self) -> dict[str, Any]:
        """The request for a process: the questions without an answer."""
        self._is_parsed = "text" not in self._asked
        return {**self._asked, "patterns": tuple(self._left)}

    def take(self, answer: Any) -> None:
        """Takes the next answer of a process."""
        if not self._is_parsed:
            self._is_parsed = True
        else:
            self.answers[self._left.popleft()] = answer

    def fail(self) -> str | None:
        """Notes that the process was lost before its next answer. Returns the pattern at fault, if it was one."""
        if not self._is_parsed:
            self.give_up(AstFailure.TEXT)
            return None
        pattern = self._left.popleft()
        self.answers[pattern] = AstFailure.PATTERN
        return pattern

    def leave_out(self, pattern: str) -> None:
        """A pattern is not worth asking for any more; the task is going to be requested anew."""
        if pattern in self._left:
            self._left.remove(pattern)
            self.answers[pattern] = AstFailure.PATTERN

    def give_up(self, failure: AstFailure) -> None:
        """Sets `failure` as the result of all searches that are not done."""
        self.answers |= dict.fromkeys(self._left, failure)
        self._left.clear()


class AstLane:
    """Not safe to share between threads. Its process is started when the first task comes."""

    __slots__ = ("_failures", "_is_ready", "_is_unavailable", "_step_limit", "_tasks", "_until", "load", "worker")

    def __init__(self, step_limit: float, failures: Failures) -> None:
        self.worker: Worker | None = None
        self.load = 0
        """How much text it was given that is not done."""
        self._tasks: deque[AstTask] = deque()
        self._step_limit = step_limit
        self._failures = failures
        self._is_ready = False
        self._is_unavailable = False
        self._until = 0.0

    @property
    def is_idle(self) -> bool:
        """True if everything is done."""
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
            self._until = monotonic() + SEARCH_LIMIT
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
            # Answers that nobody waits for any more must not be taken for those to the next question.
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
        """The next thing that the process says, or that there will be none."""
        task = self._tasks[0]
        if task.is_done:
            pass
        elif self._failures.are_too_many:
            task.give_up(AstFailure.EXHAUSTED)
        elif not self._is_running():
            task.give_up(AstFailure.UNAVAILABLE)
        else:
            self._listen_to(task)
        if task.is_done:
            self._tasks.popleft()
            self.load -= task.size
            self._until = monotonic() + SEARCH_LIMIT

    def _listen_to(self, task: AstTask) -> None:
        assert self.worker is not None
        try:
            task.take(self.worker.answer(self._until - monotonic(), self._step_limit))
        except WorkerLostError:
            self._failures.add()
            pattern = task.fail()
            if monotonic() >= self._until:
                task.give_up(AstFailure.TEXT)
            self._end()
            self._give_again(pattern)

    def _give_again(self, but: str | None) -> None:
        """Hands what is left to do to a new process."""
        for task in self._tasks:
            if but is not None:
                task.leave_out(but)
        tasks = [task for task in self._tasks if not task.is_done]
        if tasks and not self._failures.are_too_many:
            self.start()
            for task in tasks:
                if self.worker is not None:
                    self.worker.ask(task.request())

    def _is_running(self) -> bool:
        """Returns whether there is a process. Waits for it where it was just started."""
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
