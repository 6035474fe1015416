"""A log that notifies a follower of each record."""

from __future__ import annotations

from collections.abc import Callable

from ttsr_ls.bridge.watch.event_log import EventLog
from ttsr_ls.session.history.turn_events import TurnEvent
from ttsr_ls.store.log.codec import Record


class NotifyingLog:
    """Calls `follow` with each event that is on record."""

    def __init__(self, log: EventLog, follow: Callable[[TurnEvent], None]) -> None:
        self._log = log
        self._follow = follow

    def append(self, event: TurnEvent, time: int) -> Record:
        """Records the event. Raises LogWriteError if that failed."""
        record = self._log.append(event, time)
        self._follow(event)
        return record
