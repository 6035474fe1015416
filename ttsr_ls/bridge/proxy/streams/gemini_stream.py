"""The Gemini API: chunks, none of which marks the end of a part; each function call comes whole."""

from __future__ import annotations

import json
from typing import Any

from ttsr_ls.bridge.proxy.ledger.identity import Identity, content_digest, text_identity
from ttsr_ls.bridge.proxy.streams.frame_role import FAILURE, FINISH, NEUTRAL, FrameKind, FrameRole, PartKind
from ttsr_ls.bridge.proxy.streams.hold_back_buffer import HeldFrame
from ttsr_ls.bridge.proxy.streams.json_events import json_event
from ttsr_ls.bridge.proxy.streams.sse_frames import SseFrame, sse_bytes
from ttsr_ls.bridge.proxy.streams.stream_editor import SentPart, StreamEditor
from ttsr_ls.bridge.wire.fields import get_field, get_integer, get_list, get_text

_TEXT = "text"
_THINKING = "thinking"


class GeminiStream(StreamEditor):
    """Edits the answers of one exchange; of several candidates the first is read.

    Sends no keep-alives, because Gemini CLI accepts no comments.
    """

    keep_alive = b""

    def __init__(self) -> None:
        super().__init__()
        self._sent_texts: list[str] = []
        self._calls: list[Identity] = []
        self._identity = ""

    def read(self, frame: SseFrame) -> tuple[Any, FrameRole]:
        chunk = json_event(frame)
        if chunk is None:
            return None, NEUTRAL
        if get_field(chunk, "error") is not None:
            return chunk, FAILURE
        candidate = _candidate(chunk)
        if get_text(candidate, "finishReason"):
            return chunk, FINISH
        found = get_list(get_field(candidate, "content"), "parts")
        if any(get_field(part, "functionCall") is not None for part in found):
            # The chunk has the whole call, so rules were matched against all of it.
            return chunk, FrameRole(FrameKind.CLOSE, "call", PartKind.CALL, closes=("call", _TEXT))
        text = parts_text(found)
        if text:
            return chunk, FrameRole(FrameKind.DELTA, _TEXT, PartKind.TEXT, len(text))
        if any(get_field(part, "thought") is True for part in found):
            return chunk, FrameRole(FrameKind.DELTA, _THINKING, PartKind.THINKING)
        return chunk, NEUTRAL

    def write(self, frame: HeldFrame) -> bytes:
        chunk = frame.event
        if chunk is None:
            return frame.raw
        for part in get_list(get_field(_candidate(chunk), "content"), "parts"):
            if get_field(part, "functionCall") is not None:
                self._calls.append(part_identity(part))
            else:
                self._sent_texts.append(parts_text([part]))
        if not self._identity:
            self._identity = get_text(chunk, "responseId")
        if self.attempt == 0 or "responseId" not in chunk:
            return frame.raw
        return sse_bytes("", json.dumps({**chunk, "responseId": self._identity}, separators=(",", ":")))

    def sent_parts(self) -> list[SentPart]:
        """The text and the calls of the current attempt that were sent to the client."""
        text = "".join(self._sent_texts)
        parts = [SentPart(text_identity(text), text)] if text else []
        return [*parts, *(SentPart(call, None) for call in self._calls)]

    @property
    def has_sent_call(self) -> bool:
        return bool(self._calls)

    def restart(self) -> bytes:
        """Ends the current attempt. Sends nothing, because this API does not mark the end of a part."""
        self._sent_texts = []
        self.attempt += 1
        return b""

    def end_early(self) -> bytes:
        """Ends the answer after the calls that were sent to the client."""
        candidate = {"index": 0, "content": {"role": "model", "parts": [{"text": ""}]}, "finishReason": "STOP"}
        return sse_bytes("", json.dumps({"candidates": [candidate], "responseId": self._identity}))

    def fail(self, message: str) -> bytes:
        return sse_bytes("", json.dumps({"error": {"code": 500, "message": message, "status": "INTERNAL"}}))


def parts_text(found: list[Any]) -> str:
    """Returns the text of parts, without thoughts."""
    return "".join(get_text(part, "text") for part in found if get_field(part, "thought") is not True)


def part_identity(part: Any) -> Identity:
    """Returns the identity of a part. A call has a weak one, because clients make up its id."""
    call = get_field(part, "functionCall")
    if call is None:
        return text_identity(get_text(part, "text"))
    return Identity(f"x:{content_digest([get_text(call, 'name'), get_field(call, 'args')])}")


def _candidate(chunk: Any) -> Any:
    return next((item for item in get_list(chunk, "candidates") if get_integer(item, "index") == 0), None)
