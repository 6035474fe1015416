"""Splits a byte stream into lines. The result is independent of chunk boundaries; at most one line is in memory."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.bridge.adapters.limits import ADAPTER_LIMITS


class OversizedLine(Struct, frozen=True):
    """A line that was longer than the limit; its text is gone."""


class LineSplitter:
    """Splits a stream of bytes at `\\n`. A carriage return before it stays: JSON does not mind."""

    __slots__ = ("_held", "_limit", "_overlong", "_size")

    def __init__(self, limit: int = ADAPTER_LIMITS.line) -> None:
        self._limit = limit
        self._held: list[bytes] = []
        self._size = 0
        self._overlong = False

    def feed(self, data: bytes) -> list[bytes | OversizedLine]:
        """The lines that `data` completes, without their line ends."""
        first, *rest = data.split(b"\n")
        self._hold(first)
        if not rest:
            return []
        lines = [self._take()]
        last = rest.pop()
        # These lines are in `data` as a whole.
        lines += rest if len(data) <= self._limit else [self._checked(line) for line in rest]
        self._hold(last)
        return lines

    def finish(self) -> list[bytes | OversizedLine]:
        """The last line, if it had no line end."""
        return [self._take()] if self._size or self._overlong else []

    def _hold(self, piece: bytes) -> None:
        if not piece or self._overlong:
            return
        self._size += len(piece)
        if self._size > self._limit:
            self._held, self._overlong = [], True
        else:
            self._held.append(piece)

    def _checked(self, line: bytes) -> bytes | OversizedLine:
        return OversizedLine() if len(line) > self._limit else line

    def _take(self) -> bytes | OversizedLine:
        line: bytes | OversizedLine = OversizedLine() if self._overlong else b"".join(self._held)
        self._held, self._size, self._overlong = [], 0, False
        return line
