"""Splits a byte stream into lines. The result is independent of chunk boundaries; at most one line is in memory."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.bridge.adapters.limits import ADAPTER_LIMITS


class OversizedLine(Struct, frozen=True):
    """A line that is longer than the limit; its text is dropped. Returned before its end, which may never come."""


class NumberedLine(Struct, frozen=True):
    """A line without its line end; `number` is its position in the stream, from 1."""

    number: int
    text: bytes


class LineSplitter:
    """Splits a stream of bytes at `\\n`. A carriage return before it is kept: it is white space to JSON."""

    __slots__ = ("_held", "_limit", "_overlong", "_size")

    def __init__(self, limit: int = ADAPTER_LIMITS.line) -> None:
        self._limit = limit
        self._held: list[bytes] = []
        self._size = 0
        self._overlong = False

    def feed(self, data: bytes) -> list[bytes | OversizedLine]:
        """The lines that `data` completes, without their line ends, and a line as soon as it is too long."""
        first, *rest = data.split(b"\n")
        lines = self._hold(first)
        if not rest:
            return lines
        lines += self._take()
        last = rest.pop()
        # These lines are completely in `data`, so none is too long if `data` is not.
        lines += rest if len(data) <= self._limit else [self._checked(line) for line in rest]
        return lines + self._hold(last)

    def finish(self) -> list[bytes | OversizedLine]:
        """The last line, if it had no line end."""
        return self._take() if self._size else []

    def _hold(self, piece: bytes) -> list[bytes | OversizedLine]:
        if not piece or self._overlong:
            return []
        self._size += len(piece)
        if self._size <= self._limit:
            self._held.append(piece)
            return []
        self._held, self._overlong = [], True
        return [OversizedLine()]

    def _checked(self, line: bytes) -> bytes | OversizedLine:
        return OversizedLine() if len(line) > self._limit else line

    def _take(self) -> list[bytes | OversizedLine]:
        line: list[bytes | OversizedLine] = [] if self._overlong else [b"".join(self._held)]
        self._held, self._size, self._overlong = [], 0, False
        return line
