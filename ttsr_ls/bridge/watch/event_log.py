"""The interface of a log of turn events."""

from __future__ import annotations

from typing import Protocol

from ttsr_ls.session.history.turn_events import TurnEvent
from ttsr_ls.store.log.codec import Record


class EventLog(Protocol):
    """Interface of a log to which turn events are appended."""

    def append(self, event: TurnEvent, time: int) -> Record:
        """Records the event. Raises LogWriteError if that failed."""
