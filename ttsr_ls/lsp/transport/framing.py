"""Parses messages from bytes: `Content-Length` headers, a blank line, a body. Does no I/O."""

from __future__ import annotations

# A client that sends more in one message is broken or hostile; a rule file of 1 MiB takes about as much as JSON.
MAX_MESSAGE_BYTES = 64 * 1024 * 1024
_MAX_HEADER_BYTES = 8192


class FramingError(Exception):
    """The bytes are not a sequence of messages; parsing cannot continue."""


class MessageDecoder:
    """Takes bytes in chunks of any size, and returns the bodies of the messages that they complete."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._length: int | None = None
        self._scanned = 0

    def feed(self, data: bytes) -> list[bytes]:
        """The bodies that `data` completes, in order. Raises FramingError, after which parsing cannot continue."""
        self._buffer += data
        bodies: list[bytes] = []
        while (body := self._next()) is not None:
            bodies.append(body)
        return bodies

    def _next(self) -> bytes | None:
        if self._length is None and not self._read_headers():
            return None
        length = self._length
        if length is None or len(self._buffer) < length:
            return None
        body = bytes(self._buffer[:length])
        del self._buffer[:length]
        self._length = None
        return body

    def _read_headers(self) -> bool:
        # Only new bytes are searched: otherwise headers that arrive byte by byte take quadratic time.
        end = self._buffer.find(b"\r\n\r\n", max(self._scanned - 3, 0), _MAX_HEADER_BYTES)
        if end < 0:
            self._scanned = len(self._buffer)
            if len(self._buffer) >= _MAX_HEADER_BYTES:
                raise FramingError("the headers of a message are too long")
            return False
        self._length = _content_length(bytes(self._buffer[:end]))
        del self._buffer[: end + 4]
        self._scanned = 0
        return True


def _content_length(headers: bytes) -> int:
    for line in headers.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            digits = value.strip()
            if digits.isdigit() and len(digits) <= 12 and int(digits) <= MAX_MESSAGE_BYTES:
                return int(digits)
            raise FramingError(f"a message has the Content-Length {digits[:20]!r}")
    raise FramingError("a message has no Content-Length header")
