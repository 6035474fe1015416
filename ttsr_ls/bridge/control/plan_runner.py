"""Sends the steps of plans, each after the previous one was answered, and detects a step that is answered too late."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from ttsr_ls.bridge.control.driver import PlanStep, ToAgent
from ttsr_ls.bridge.wire.json_lines import JsonObject


class PlanRunner:
    """Queue of steps, which are messages to an agent. Each step is sent after the previous one was answered.

    Times are in milliseconds since the Unix epoch. `timeout` is the time limit of one answer, in milliseconds.
    """

    __slots__ = ("_deadline", "_step", "_timeout", "_waiting")

    def __init__(self, timeout: int) -> None:
        self._timeout = timeout
        self._waiting: deque[PlanStep] = deque()
        self._step: PlanStep | None = None
        self._deadline = 0

    @property
    def is_idle(self) -> bool:
        """True if no step is queued or waits for its answer."""
        return self._step is None and not self._waiting

    @property
    def unanswered_step(self) -> str | None:
        """The name of the step that waits for its answer; None if none does."""
        return None if self._step is None else self._step.name

    def add(self, steps: Iterable[PlanStep]) -> None:
        """Appends steps."""
        self._waiting.extend(steps)

    def clear(self) -> None:
        """Drops all steps, also the one that waits for its answer."""
        self._waiting.clear()
        self._step = None

    def send(self, now: int) -> tuple[ToAgent, ...]:
        """Returns the messages of the next step; none while the previous step is unanswered."""
        while self._step is None and self._waiting and self._waiting[0].is_done():
            self._waiting.popleft()
        if self._step is not None or not self._waiting:
            return ()
        self._step = self._waiting.popleft()
        self._deadline = now + self._timeout
        messages = self._step.make()
        if self._step.is_answered({}):  # No message will answer this step.
            self._step = None
        return messages

    def receive(self, message: JsonObject) -> bool:
        """Returns whether the message answers the current step, and ends that step. AgentRefusedError ends it, too."""
        step = self._step
        if step is None:
            return False
        is_answered = True
        try:
            is_answered = step.is_answered(message)
        finally:
            if is_answered:
                self._step = None
        return is_answered

    def overdue_step(self, now: int) -> str | None:
        """Returns the name of the step that was not answered in time; None if there is none."""
        return self._step.name if self._step is not None and now > self._deadline else None
