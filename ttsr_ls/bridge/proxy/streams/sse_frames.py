"""Server-sent events with their exact bytes, so that unedited frames are forwarded byte for byte.

A frame ends with its blank line. Frames are lossless: their joined bytes are the received bytes, for any split into
chunks. Comments, blank lines, and events without data are frames without data.
"""

from __future__ import annotations

import re

from msgspec import Struct

MAX_FRAME = 64 * 1024 * 1024
"""The longest frame that is read, in bytes. A longer one is passed on unread."""

_END = re.compile(rb"(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r)")
_LINE_END = re.compile(rb"\r\n|\n|\r")
_BOM = b"\xef\xbb\xbf"


class SseFrame(Struct, frozen=True, gc=False):
    """A frame: its bytes, and the name and data of its event. `data` is None where there is no event to read."""

    raw: bytes
    name: str = ""
    data: str | None = None
    is_oversized: bool = False


class SseFramer:
    """Splits one stream into frames."""

    __slots__ = ("_held", "_is_first", "_is_oversized")

    def __init__(self) -> None:
        self._held = b""
        self._is_first = True
        self._is_oversized = False

    def feed(self, data: bytes) -> list[SseFrame]:
        """The frames that `data` completes."""
        frames: list[SseFrame] = []
        # The blank line can begin up to three bytes before the new data.
        scan = max(0, len(self._held) - 3)
        buffer = self._held + data if self._held else data
        start = 0
        while start < len(buffer):
            if buffer[start] in b"\r\n":  # A blank line of its own.
                end = _LINE_END.match(buffer, start)
                assert end is not None
                frames.append(self._frame(buffer[start : end.end()]))
                start = end.end()
                continue
            match = _END.search(buffer, max(start, scan))
            if match is None or _may_continue(buffer, match):
                break
            frames.append(self._frame(buffer[start : match.end()]))
            start = match.end()
        self._held = buffer[start:]
        if len(self._held) > MAX_FRAME:
            frames.append(SseFrame(self._held, is_oversized=True))
            self._held, self._is_oversized = b"", True
        return frames

    def finish(self) -> bytes:
        """Returns the bytes of the incomplete frame at the end of the stream, which is not an event."""
        buffer, self._held = self._held, b""
        return buffer

    def _frame(self, raw: bytes) -> SseFrame:
        if self._is_oversized:  # The rest of a frame that was passed on already.
            self._is_oversized = False
            return SseFrame(raw, is_oversized=True)
        content = raw
        if self._is_first:
            self._is_first = False
            content = raw.removeprefix(_BOM)
        name, data = "", []
        for line in _LINE_END.split(content):
            if line.startswith(b"data"):
                key, _, value = line.partition(b":")
                if key == b"data":
                    data.append(value.removeprefix(b" "))
            elif line.startswith(b"event:"):
                name = line[6:].removeprefix(b" ").decode("utf-8", "replace")
        if not data:
            return SseFrame(raw, name)
        return SseFrame(raw, name, b"\n".join(data).decode("utf-8", "replace"))


def _may_continue(buffer: bytes, match: re.Match[bytes]) -> bool:
    """Returns whether the last line end is a `\\r` whose `\\n` may still arrive, as in the line end before it."""
    return match.end() == len(buffer) and buffer.endswith(b"\r") and match[0].startswith(b"\r\n")


def sse_bytes(name: str, data: str) -> bytes:
    """A frame for an event; `data` has no line end. Without a name, it has data only."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {data}\n\n".encode()
