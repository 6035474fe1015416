"""Puts on record what a session decides, and evolves it by what is on record (design.md, "persist first").

What a decision needs on record is there before anything else happens, or the decision does not hold. What happened
whether or not anybody wrote it down, an answer or a result, is kept until the log can take it again, in front of
whatever comes next; so a log that recovers has everything, and what never gets there was never acted upon.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from enum import Enum

from ttsr_ls.bridge.host.events import LogFailed, LogRecovered, SessionEvent, joined_batch, told_of
from ttsr_ls.bridge.observer import EventLog
from ttsr_ls.engine.turn_events import TurnEvent
from ttsr_ls.store.turn_log import LogWriteError


class OnLogFailure(Enum):
    """What becomes of the agent when its log cannot be written."""

    GO_ON = "go on"
    STOP = "stop"


class Recorder:
    """The one way into the log of a session. `now` gives milliseconds since the Unix epoch."""

    __slots__ = ("_backlog", "_evolve", "_failing", "_log", "_now", "_on_failure", "_tell", "_untold")

    def __init__(
        self,
        log: EventLog,
        now: Callable[[], int],
        evolve: Callable[[TurnEvent], None],
        tell: Callable[[SessionEvent], None],
        on_failure: OnLogFailure,
    ) -> None:
        self._log = log
        self._now = now
        self._evolve = evolve
        self._tell = tell
        self._untold: deque[SessionEvent] = deque()
        self._on_failure = on_failure
        self._backlog: deque[tuple[TurnEvent, int]] = deque()
        self._failing = False

    @property
    def backlog(self) -> tuple[TurnEvent, ...]:
        """What happened and is not on record yet."""
        return tuple(event for event, _ in self._backlog)

    def tell(self) -> None:
        """Tells listeners what they were not told yet. Called when what was decided is done: none is in its way."""
        while self._untold:
            self._tell(self._untold.popleft())

    def decided(self, events: Iterable[TurnEvent]) -> None:
        """Puts on record what a decision needs. Raises LogWriteError: the decision must not be carried out."""
        for event in events:
            try:
                self._flush()
                self._log.append(event, self._now())
            except LogWriteError as error:
                self._failed(error)
                raise
            self._succeeded(event)

    def happened(self, events: Iterable[TurnEvent]) -> None:
        """Puts on record what happened, now or later. Raises LogWriteError only where a failing log stops the agent."""
        failed: LogWriteError | None = None
        for event in events:
            now = self._now()
            try:
                self._flush()
                self._log.append(event, now)
            except LogWriteError as error:
                self._backlog.append((event, now))
                self._failed(error)
                self._evolve(event)
                self._say(event)
                failed = error
            else:
                self._succeeded(event)
        if failed is not None and self._on_failure is OnLogFailure.STOP:
            raise failed

    def _flush(self) -> None:
        while self._backlog:
            self._log.append(*self._backlog[0])
            self._backlog.popleft()

    def _succeeded(self, event: TurnEvent) -> None:
        self._evolve(event)
        if self._failing:
            self._failing = False
            self._untold.append(LogRecovered())
        self._say(event)

    def _say(self, event: TurnEvent) -> None:
        told = told_of(event)
        if told is None:
            return
        batch = joined_batch(self._untold[-1], told) if self._untold else None
        if batch is None:
            self._untold.append(told)
        else:
            self._untold[-1] = batch

    def _failed(self, error: LogWriteError) -> None:
        if not self._failing:
            self._failing = True
            self._untold.append(LogFailed(str(error)))
