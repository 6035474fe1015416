"""Parses server-sent events (HTML standard, 9.2.6); any split of the bytes gives the same events.

Only the name and the data of an event are kept: providers use no other fields.
"""

from __future__ import annotations

import re

from msgspec import Struct

MAX_EVENT = 64 * 1024 * 1024
"""The longest event that is read, in bytes: some events repeat a whole answer."""

_LINE_END = re.compile(rb"\r\n|\r|\n")
_OTHER_FIELDS = (b"", b"id", b"retry")
"""The fields that are not kept; a line that begins with a colon is a comment."""
_BOM = b"\xef\xbb\xbf"


class ServerSentEvent(Struct, frozen=True):
    """An event. `name` is blank if the server sent none; `is_damaged` is true if its data was not valid UTF-8."""

    name: str
    data: str
    is_damaged: bool = False


class OversizedEvent(Struct, frozen=True):
    """An event that was longer than the limit. Its content is dropped."""


class SseParser:
    """Reads one stream. Invalid UTF-8 becomes U+FFFD; an incomplete event at the end of the stream is dropped."""

    __slots__ = (
        "_data", "_held", "_is_damaged", "_limit", "_name", "_overlong", "_size", "_skip_newline", "_started",
        "unknown_lines",
    )  # fmt: skip

    def __init__(self, limit: int = MAX_EVENT) -> None:
        self._limit = limit
        self._held: list[bytes] = []
        """The chunks of the incomplete line."""
        self._size = 0
        """The bytes of the unfinished event, including its unfinished line."""
        self._data: list[str] = []
        self._name = ""
        self._overlong = False
        self._skip_newline = False
        self._started = False
        self._is_damaged = False
        self.unknown_lines = 0
        """The number of lines with an unknown field name. They are ignored, as the standard requires."""

    def feed(self, data: bytes) -> list[ServerSentEvent | OversizedEvent]:
        """The events that `data` completes."""
        events: list[ServerSentEvent | OversizedEvent] = []
        position = 0
        if self._skip_newline and data:  # The second half of a line end that was split between chunks.
            self._skip_newline = False
            position = 1 if data.startswith(b"\n") else 0
        for end in _LINE_END.finditer(data, position):
            self._hold(data[position : end.start()])
            position = end.end()
            self._end_line(events)
        if position == len(data) and data.endswith(b"\r"):
            self._skip_newline = True
        self._hold(data[position:])
        return events

    @property
    def has_partial_event(self) -> bool:
        """True if an unfinished event was read."""
        return bool(self._held or self._data)

    def _hold(self, chunk: bytes) -> None:
        if not chunk:
            return
        self._size += len(chunk)
        if self._size > self._limit:
            self._overlong = True
            self._held, self._data = [b":"], []  # Marks the line as not empty; its content is dropped.
        elif not self._overlong:
            self._held.append(chunk)

    def _end_line(self, events: list[ServerSentEvent | OversizedEvent]) -> None:
        line = b"".join(self._held)
        self._held = []
        if not self._started:
            self._started = True
            line = line.removeprefix(_BOM)
        if line:
            if not self._overlong:
                self._field(line)
            return
        if self._overlong:
            events.append(OversizedEvent())
        elif self._data:
            events.append(ServerSentEvent(self._name, "\n".join(self._data), self._is_damaged))
        self._data, self._name, self._size, self._overlong, self._is_damaged = [], "", 0, False, False

    def _field(self, line: bytes) -> None:
        name, _, value = line.partition(b":")
        if name == b"data":
            self._data.append(self._decoded(value.removeprefix(b" ")))
        elif name == b"event":
            self._name = value.removeprefix(b" ").decode("utf-8", "replace")
        elif name not in _OTHER_FIELDS:
            self.unknown_lines += 1

    def _decoded(self, value: bytes) -> str:
        try:
            return value.decode()
        except UnicodeDecodeError:
            self._is_damaged = True
            return value.decode("utf-8", "replace")
