"""A log that discards all records, for sessions without a log."""

from __future__ import annotations

from ttsr_ls.session.history.turn_events import TurnEvent
from ttsr_ls.store.log.codec import Record


class NullLog:
    """A log that stores nothing and counts the events; it has the interface of `TurnLog`."""

    __slots__ = ("_sequence",)

    def __init__(self) -> None:
        self._sequence = 0

    @property
    def count(self) -> int:
        """The number of discarded events."""
        return self._sequence

    def append(self, event: TurnEvent, time: int) -> Record:
        """Counts the event."""
        self._sequence += 1
        return Record(self._sequence, time, event)
