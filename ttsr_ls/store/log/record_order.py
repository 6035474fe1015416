"""Checks that the records of a log are in the order of their numbers.

A record after one with a higher number is ignored: two lines may have been swapped, and an injection whose record comes
too late would be repeated. A missing number is only reported, because its record is lost.
"""

from __future__ import annotations

from enum import Enum


class RecordPosition(Enum):
    """The position of a record relative to the earlier ones."""

    NEXT = "its number is the next one"
    GAP = "numbers before it are missing, or its own was used before"
    DISORDER = "an earlier record has a higher number"


class RecordOrder:
    """The numbers of the records of one log. Set `last` to None if the earlier records are unknown."""

    __slots__ = ("disordered", "highest", "last")

    def __init__(self) -> None:
        self.highest = 0
        """The highest number of all records; 0 before the first."""
        self.last: int | None = 0
        """The number of the last record in order."""
        self.disordered = 0
        """The number of records out of order."""

    def add(self, sequence: int) -> RecordPosition:
        """Returns the position of the next record. One out of order changes no number."""
        if sequence < self.highest:
            self.disordered += 1
            return RecordPosition.DISORDER
        is_next = self.last is None or sequence == self.last + 1
        self.last = self.highest = sequence
        return RecordPosition.NEXT if is_next else RecordPosition.GAP
