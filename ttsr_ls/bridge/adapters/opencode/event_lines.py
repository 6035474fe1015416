"""The data lines of server-sent events, read as lines of JSON: several lines of one event are joined by line feeds.

Unlike `bridge.model.sse`, a line that is JSON by itself needs no blank line after it: a damaged blank line loses no
event.
"""

from __future__ import annotations

from ttsr_ls.bridge.adapters.lines import NumberedLine
from ttsr_ls.bridge.wire.json_lines import parse_object


class EventLines:
    """Holds the data lines of one event that are no JSON by themselves. `limit` bounds their bytes."""

    __slots__ = ("_limit", "_lines", "_size")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lines: list[NumberedLine] = []
        self._size = 0

    def add(self, line: NumberedLine) -> list[NumberedLine]:
        """Returns the lines of JSON that a data line completes, and those that are too many to be joined."""
        if not self._lines and not isinstance(parse_object(line.text), str):
            return [line]
        self._lines.append(line)
        self._size += len(line.text)
        return self._take() if self._size > self._limit else []

    def end(self) -> list[NumberedLine]:
        """Ends the event. Returns its data as one line if that is JSON; else each line, as it came."""
        if not self._lines:
            return []
        joined = b"\n".join(line.text for line in self._lines)
        is_joined = len(self._lines) > 1 and not isinstance(parse_object(joined), str)
        whole = NumberedLine(self._lines[0].number, joined)
        lines = self._take()
        return [whole] if is_joined else lines

    def _take(self) -> list[NumberedLine]:
        lines, self._lines, self._size = self._lines, [], 0
        return lines
