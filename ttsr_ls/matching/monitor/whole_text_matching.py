"""Decides whether rules may fire on a text that is known as a whole, before a stream is opened for it."""

from __future__ import annotations

from ttsr_ls.esregex.automaton.whole_text_reading import WholeTextReading
from ttsr_ls.matching.monitor.rule_matching import RuleMatching
from ttsr_ls.matching.streams.automaton_matcher import AutomatonMatcher
from ttsr_ls.matching.streams.condition_matcher import StreamMatcher
from ttsr_ls.rules.stream import StreamEvent


class WholeTextMatching:
    """Reads whole texts, and opens streams. The stream of the text that was read last does not read it again."""

    __slots__ = ("_matcher", "_max_length", "_read", "_rule_matching")

    def __init__(self, matcher: AutomatonMatcher, rule_matching: RuleMatching, max_length: int) -> None:
        """`max_length` is the length of the longest text that streams match, in units."""
        self._matcher, self._rule_matching, self._max_length = matcher, rule_matching, max_length
        self._read: tuple[StreamEvent, WholeTextReading] | None = None
        """The latest event whose text was read."""

    def can_fire(self, event: StreamEvent, units: str) -> bool:
        """Returns whether rules may fire on a new stream that gets this event with these units, and then ends."""
        reading = self._matcher.read_whole(units) if 0 < len(units) <= self._max_length else None
        if reading is None:
            return True
        self._read = event, reading
        return self._rule_matching.can_fire(event.context, reading.patterns)

    def open(self, event: StreamEvent) -> StreamMatcher:
        """Returns the matcher of a new stream, whose first event is `event`."""
        read, self._read = self._read, None
        if read is None or read[0] is not event:
            return self._matcher.open()
        return self._matcher.open_read(read[1])
