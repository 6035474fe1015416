"""Matches the conditions of a matcher on a text that the automaton has read as a whole."""

from __future__ import annotations

from ttsr_ls.esregex.automaton.automaton import AnyAutomaton
from ttsr_ls.esregex.automaton.whole_text_reading import WholeTextCursor, WholeTextReading
from ttsr_ls.matching.streams.automaton_stream import FED_AT_ONCE, AutomatonStream
from ttsr_ls.matching.streams.exact_verifier import ExactVerifier


class WholeTextStream(AutomatonStream):
    """A stream whose first text is that of `reading`, and is not read again. It ends there; if it does not, the text is
    read as a stream."""

    __slots__ = ("_reading",)

    def __init__(self, automaton: AnyAutomaton, verifier: ExactVerifier, reading: WholeTextReading) -> None:
        super().__init__(automaton, verifier)
        self._reading = reading

    def append(self, units: str) -> bool:
        if self.length or units != self._reading.units:
            self._read_as_stream()
            return super().append(units)
        self._chunks.append(units)
        self._verifier.deltas += 1
        self._cursor, events = self._automaton.open_read(self._reading)
        for event in events:
            self._take(event)
        return bool(self._changed) or self._automaton.disabled is not self._known_disabled

    def replace(self, units: str) -> bool:
        if not self.length and units == self._reading.units:
            self.append(units)
            return True
        return super().replace(units)

    def _read_as_stream(self) -> None:
        """Moves the cursor of a text that was read as a whole to where more text can be fed."""
        if isinstance(self._cursor, WholeTextCursor):
            final, self._cursor = self._cursor.final, self._automaton.open()
            for pattern in final:
                self._cursor.mark_final(pattern)
            for start in range(0, len(self._reading.units), FED_AT_ONCE):
                for event in self._automaton.feed(self._cursor, self._reading.units[start : start + FED_AT_ONCE]):
                    self._take(event)
