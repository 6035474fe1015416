"""Frames of oh-my-pi's RPC protocol 2 that are too long for one line, and are sent as several chunks in base64."""

from __future__ import annotations

from base64 import b64decode

from ttsr_ls.bridge.wire.fields import get_integer, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject


class ChunkedFrame:
    """Joins the chunks of one frame at a time. Chunks of a frame come in order, without chunks of another between."""

    def __init__(self, max_bytes: int) -> None:
        """`max_bytes` bounds a whole frame."""
        self._max_bytes = max_bytes
        self._id = ""
        self._parts: list[bytes] = []
        self._bytes = 0

    @property
    def is_incomplete(self) -> bool:
        """True while the chunks so far are not a whole frame."""
        return bool(self._parts)

    def add(self, chunk: JsonObject) -> bytes | str | None:
        """Returns the frame that this chunk completes, the reason why it cannot be read, or None if chunks are missing
        at its end."""
        identity, index = get_text(chunk, "chunkId"), get_integer(chunk, "index")
        if index == 0:
            self._reset(identity)
        elif identity != self._id or index != len(self._parts):
            self._reset()
            return "a chunk of its frame is missing"
        try:
            part = b64decode(get_text(chunk, "data"), validate=True)
        except ValueError:
            self._reset()
            return "its chunk of a frame is not base64"
        self._parts.append(part)
        self._bytes += len(part)
        if self._bytes > self._max_bytes:
            self._reset()
            return "its frame is too long"
        if index + 1 < get_integer(chunk, "count"):
            return None
        frame = b"".join(self._parts)
        self._reset()
        return frame

    def _reset(self, identity: str = "") -> None:
        self._id, self._parts, self._bytes = identity, [], 0
