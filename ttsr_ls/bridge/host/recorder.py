"""Records the events of a session in its log, and applies recorded events to its state (spec U1).

The events of a decision are recorded before it is carried out; a decision that cannot be recorded is not carried
out. Events that happened regardless of the log, such as an answer or a result, are buffered while the log fails and
written first once it works again. So a recovered log is complete, and nothing that it lacks had an effect.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from enum import Enum

from ttsr_ls.bridge.host.events import LogFailed, LogRecovered, SessionEvent, merge_triggers, notification_for
from ttsr_ls.bridge.watch.event_log import EventLog
from ttsr_ls.session.history.turn_events import (
    ConditionTooSlow,
    FeatureRecorded,
    RuleTriggered,
    StreamMatchingEnded,
    TriggersSuppressed,
    TurnEvent,
)
from ttsr_ls.session.history.usage_meter import is_answer
from ttsr_ls.store.log.turn_log import LogWriteError


class LogFailurePolicy(Enum):
    """The reaction of a session whose log cannot be written.

    `GO_ON`: the agent continues, and no rule acts until the log works again. `STOP`: each operation that needs the log
    raises LogWriteError.
    """

    GO_ON = "go on"
    STOP = "stop"


_DECIDED_ONCE = (RuleTriggered, ConditionTooSlow, StreamMatchingEnded, TriggersSuppressed, FeatureRecorded)
"""Decisions that are made once, so that a failed record is lost. Others are repeated: an injection stays pending."""


class Recorder:
    """Writes all records of a session. `now` returns milliseconds since the Unix epoch."""

    __slots__ = (
        *("_backlog", "_dropped", "_evolve", "_failing", "_log", "_now", "_on_failure", "_publish", "_unsent"),
        "last_answer_at",
    )

    def __init__(
        self,
        log: EventLog,
        now: Callable[[], int],
        evolve: Callable[[TurnEvent], None],
        publish: Callable[[SessionEvent], None],
        on_failure: LogFailurePolicy,
    ) -> None:
        self._log = log
        self._now = now
        self._evolve = evolve
        self._publish = publish
        self._unsent: deque[SessionEvent] = deque()
        self._on_failure = on_failure
        self._backlog: deque[tuple[TurnEvent, int]] = deque()
        self._dropped = 0
        self._failing = False
        self.last_answer_at: int | None = None
        """The time of the last record of an answer, in milliseconds since the Unix epoch."""

    @property
    def lost(self) -> int:
        """The number of records that the log lacks if nothing more is written."""
        return len(self._backlog) + self._dropped

    @property
    def backlog(self) -> tuple[TurnEvent, ...]:
        """The events that are not recorded yet."""
        return tuple(event for event, _ in self._backlog)

    def notify(self) -> None:
        """Sends pending events to listeners.

        Called after a decision was executed, so that listeners do not delay it.
        """
        while self._unsent:
            self._publish(self._unsent.popleft())

    def record_decision(self, events: Iterable[TurnEvent]) -> None:
        """Records the events of a decision. Raises LogWriteError; the decision must then not be carried out."""
        waiting_events = deque(events)
        while waiting_events:
            event, now = waiting_events[0], self._now()
            try:
                self._flush()
                self._log.append(event, now)
            except LogWriteError as error:
                self._dropped += sum(isinstance(event, _DECIDED_ONCE) for event in waiting_events)
                self._note_failure(error)
                raise
            waiting_events.popleft()
            self._note_recovery()
            self._apply(event, now)

    def record_events(self, events: Iterable[TurnEvent]) -> None:
        """Records events that happened, now or later. Raises LogWriteError only if a failing log stops the agent."""
        failed: LogWriteError | None = None
        for event in events:
            now = self._now()
            try:
                self._flush()
                self._log.append(event, now)
            except LogWriteError as error:
                self._backlog.append((event, now))
                self._note_failure(error)
                failed = error
            else:
                self._note_recovery()
            self._apply(event, now)
        if failed is not None and self._on_failure is LogFailurePolicy.STOP:
            raise failed

    def flush(self) -> None:
        """Writes pending records, as far as the log accepts them."""
        if not self._backlog:
            return
        try:
            self._flush()
        except LogWriteError as error:
            self._note_failure(error)
        else:
            self._note_recovery()
        self.notify()

    def _flush(self) -> None:
        while self._backlog:
            self._log.append(*self._backlog[0])
            self._backlog.popleft()

    def _apply(self, event: TurnEvent, now: int) -> None:
        self._evolve(event)
        if is_answer(event):
            self.last_answer_at = now
        self._queue_notification(event)

    def _note_recovery(self) -> None:
        if self._failing:
            self._failing = False
            self._unsent.append(LogRecovered())

    def _queue_notification(self, event: TurnEvent) -> None:
        notification = notification_for(event)
        if notification is None:
            return
        batch = merge_triggers(self._unsent[-1], notification) if self._unsent else None
        if batch is None:
            self._unsent.append(notification)
        else:
            self._unsent[-1] = batch

    def _note_failure(self, error: LogWriteError) -> None:
        if not self._failing:
            self._failing = True
            self._unsent.append(LogFailed(str(error)))
