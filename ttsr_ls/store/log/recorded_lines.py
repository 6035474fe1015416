"""Recognises copies of records in a log.

A copy has the number and the time of its original, so two lines are never equal byte for byte by chance.
"""

from __future__ import annotations

from array import array


class RecordedLines:
    """The lines of one log that were records."""

    __slots__ = ("_hashes", "_set")

    def __init__(self) -> None:
        self._hashes = array("q")
        """Eight bytes a record. Hardly any log has a copy, and a set would need ten times the memory."""
        self._set: set[int] | None = None
        """The values of `_hashes`, created when the first possible copy is looked up."""

    def has_copy(self, line: bytes, *, may_be_copy: bool) -> bool:
        """Returns whether `line` came before, which is only looked up if it `may_be_copy`. Else remembers the line."""
        key = hash(line)
        if may_be_copy and self._set is None:
            self._set = set(self._hashes)
        if self._set is None:
            self._hashes.append(key)
            return False
        if key in self._set:
            return True
        self._set.add(key)
        return False
