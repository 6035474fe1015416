"""Checks that the records of a log are in the order of their numbers.

A record after one with a higher number is ignored: two lines may have been swapped, and an injection whose record comes
too late would be repeated. A missing number is only reported, because its record is lost.
"""

from __future__ import annotations

from enum import Enum


class RecordPosition(Enum):
    """The position of a record relative to the earlier ones."""

    DUE = "it is the one that was due"
    GAP = "numbers are missing in front of it, or its own was used before"
    DISORDER = "a record with a higher number stands in front of it"


class RecordOrder:
    """The numbers of the records of one log. Begin with `last` None where the records before are not known."""

    __slots__ = ("disordered", "highest", "last")

    def __init__(self) -> None:
        self.highest = 0
        """The highest number of any record; 0 before the first."""
        self.last: int | None = 0
        """The number of the last record that counts."""
        self.disordered = 0
        """How many records were out of order."""

    def add(self, sequence: int) -> RecordPosition:
        """Returns the position of the next record. One out of order changes no number."""
        if sequence < self.highest:
            self.disordered += 1
            return RecordPosition.DISORDER
        is_due = self.last is None or sequence == self.last + 1
        self.last = self.highest = sequence
        return RecordPosition.DUE if is_due else RecordPosition.GAP
