"""The answer of one exchange on its way to the client: what is held back, and the bytes that are due."""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct

from ttsr_ls.bridge.proxy.request_edits import RequestEdits
from ttsr_ls.bridge.proxy.streams.frame_role import FrameKind, FrameRole, PartKind
from ttsr_ls.bridge.proxy.streams.hold_back import HeldFrame, HoldBack
from ttsr_ls.bridge.proxy.streams.stream_editor import ShownPart, StreamEditor


class CurrentFrame(Struct, frozen=True, gc=False):
    """A frame that the rules saw, and about which features may have to be asked. `is_first_end`: it ends the answer."""

    raw: bytes
    event: Any
    role: FrameRole
    is_first_end: bool = False


class ClientAnswer:
    """Holds frames back and writes what is released. `window` is in characters; `edits` records what the client has."""

    def __init__(self, stream: StreamEditor, edits: RequestEdits, window: int) -> None:
        self._stream = stream
        self._edits = edits
        self._hold = HoldBack(window)
        self._written: list[bytes] = []
        self._whole: tuple[bytes, list[ShownPart]] | None = None

    @property
    def is_whole(self) -> bool:
        """Whether the attempt under way is one JSON object."""
        return self._whole is not None

    @property
    def shown(self) -> list[ShownPart]:
        """The parts of the attempt under way that the client has, or is about to have."""
        return self._stream.shown() if self._whole is None else self._whole[1]

    @property
    def is_released(self) -> bool:
        """Whether nothing is held back."""
        return self._hold.is_empty

    def take(self) -> bytes:
        """The bytes that are due, each once."""
        written = self._written
        if not written:
            return b""
        data = written[0] if len(written) == 1 else b"".join(written)
        written.clear()
        return data

    def hold_whole(self, body: bytes, parts: list[ShownPart]) -> None:
        """Holds an answer that is one JSON object, with these parts."""
        self._whole = (body, parts)

    def push(self, raw: bytes, event: Any, role: FrameRole) -> None:
        """Takes a frame in which no rule fired."""
        self._hold.push(raw, event, role)

    def release(self, now: int) -> int:
        """Releases what may go to the client now; gives how many bytes are held back."""
        hold = self._hold
        released = hold.release()
        if released:
            self._write(released, now)
        return hold.size

    def release_all(self, now: int) -> None:
        """Releases everything."""
        self._write(self._hold.release_all(), now)

    def release_text(self, now: int) -> None:
        """Releases text, and what precedes it."""
        self._write(self._hold.release_text(), now)

    def freeze(self) -> None:
        """Releases nothing more of this attempt."""
        self._hold.freeze()

    def cut_off(self, rest: bytes, now: int, *, keeps_calls: bool) -> None:
        """The upstream answer ended without its end: releases what is held, and `rest` as it is."""
        held = self._hold.release_all()
        self._write([frame for frame in held if keeps_calls or frame.role.part_kind is not PartKind.CALL], now)
        self._written.append(rest)

    def restart(self) -> None:
        """Drops what is held; another attempt follows. What is open for the client is closed."""
        closing = self._stream.restart()
        if self._whole is None:
            self._written.append(closing)
        self._whole = None
        self._hold.drop()

    def end(self, last: bytes) -> None:
        """Drops what is held; `last` ends the answer."""
        self._hold.drop()
        self._written.append(last)

    def end_whole(self) -> None:
        """Releases the answer that is one JSON object."""
        assert self._whole is not None, "an answer was held"
        self._written.append(self._whole[0])

    def fail(self, message: str) -> None:
        """Drops what is held, and ends the answer with an error in the form of the wire."""
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
                self._edits.note_shown(now)
