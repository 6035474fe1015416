"""The answer of one exchange as the client gets it: holds frames back and collects the bytes to send."""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct

from ttsr_ls.bridge.proxy.request_edits import RequestEdits
from ttsr_ls.bridge.proxy.streams.frame_role import FrameKind, FrameRole, PartKind
from ttsr_ls.bridge.proxy.streams.hold_back_buffer import HeldFrame, HoldBackBuffer
from ttsr_ls.bridge.proxy.streams.stream_editor import SentPart, StreamEditor


class CurrentFrame(Struct, frozen=True, gc=False):
    """A frame that no rule interrupted, before features are asked about it. `is_first_end`: it ends the answer."""

    raw: bytes
    event: Any
    role: FrameRole
    is_first_end: bool = False


class ClientAnswer:
    """Buffers the frames of an answer and encodes the released ones for the client.

    An attempt is one request to upstream with its answer; an interrupted attempt is followed by another. `window` is
    the text to hold back, in characters; `edits` records what the client has.
    """

    def __init__(self, stream: StreamEditor, edits: RequestEdits, window: int) -> None:
        self._stream = stream
        self._edits = edits
        self._hold = HoldBackBuffer(window)
        self._written: list[bytes] = []
        self._whole: tuple[bytes, list[SentPart]] | None = None

    @property
    def is_non_streaming(self) -> bool:
        """True if upstream answered the current attempt with one JSON object instead of a stream of events."""
        return self._whole is not None

    @property
    def sent_parts(self) -> list[SentPart]:
        """The parts of the current attempt that were sent to the client, or are about to be."""
        return self._stream.sent_parts() if self._whole is None else self._whole[1]

    @property
    def is_released(self) -> bool:
        """True if no frame is held back."""
        return self._hold.is_empty

    def take(self) -> bytes:
        """Returns the bytes to send to the client, and clears them."""
        written = self._written
        if not written:
            return b""
        data = written[0] if len(written) == 1 else b"".join(written)
        written.clear()
        return data

    def hold_non_streaming(self, body: bytes, parts: list[SentPart]) -> None:
        """Holds back an answer that is one JSON object and has these parts."""
        self._whole = (body, parts)

    def push(self, raw: bytes, event: Any, role: FrameRole) -> None:
        """Adds a frame in which no rule fired."""
        self._hold.push(raw, event, role)

    def release(self, now: int) -> int:
        """Releases the frames that may be sent to the client now. Returns how many bytes remain held back."""
        hold = self._hold
        frames = hold.release()
        if frames:
            self._write(frames, now)
        return hold.size

    def release_all(self, now: int) -> None:
        """Releases all held frames."""
        self._write(self._hold.release_all(), now)

    def release_text(self, now: int) -> None:
        """Releases held text and the frames before it; tool calls stay held."""
        self._write(self._hold.release_text(), now)

    def freeze(self) -> None:
        """Makes later calls release nothing more of this attempt."""
        self._hold.freeze()

    def handle_broken_stream(self, rest: bytes, now: int, *, keeps_calls: bool) -> None:
        """Handles an upstream answer that ended too early: releases the held frames, then `rest` unchanged."""
        frames = self._hold.release_all()
        self._write([frame for frame in frames if keeps_calls or frame.role.part_kind is not PartKind.CALL], now)
        self._written.append(rest)

    def restart(self) -> None:
        """Drops held frames before another attempt, and closes the parts that are open for the client."""
        closing = self._stream.restart()
        if self._whole is None:
            self._written.append(closing)
        self._whole = None
        self._hold.drop()

    def end(self, last: bytes) -> None:
        """Drops held frames and ends the answer with the bytes `last`."""
        self._hold.drop()
        self._written.append(last)

    def release_non_streaming(self) -> None:
        """Releases the answer that is one JSON object."""
        assert self._whole is not None, "an answer was held"
        self._written.append(self._whole[0])

    def fail(self, message: str) -> None:
        """Drops held frames and ends the answer with an error in the format of the API."""
        if self._whole is None:
            self.end(self._stream.fail(message))
        else:
            error = {"type": "error", "error": {"type": "api_error", "message": message}}
            self._written.append(json.dumps(error).encode())

    def _write(self, frames: list[HeldFrame], now: int) -> None:
        write, written = self._stream.write, self._written
        for frame in frames:
            written.append(write(frame))
            if frame.role.kind is FrameKind.CLOSE:
                self._edits.record_released_parts(now)
