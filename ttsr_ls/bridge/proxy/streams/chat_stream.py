"""OpenAI's Chat Completions API: chunks with one id, none of which marks the end of a part."""

from __future__ import annotations

import json
from typing import Any

from ttsr_ls.bridge.proxy.ledger.identity import call_identity, text_identity
from ttsr_ls.bridge.proxy.streams.frame_role import FAILURE, FINISH, HEAD, NEUTRAL, FrameKind, FrameRole, PartKind
from ttsr_ls.bridge.proxy.streams.hold_back_buffer import HeldFrame
from ttsr_ls.bridge.proxy.streams.json_events import json_event
from ttsr_ls.bridge.proxy.streams.sse_frames import SseFrame, sse_bytes
from ttsr_ls.bridge.proxy.streams.stream_editor import SentPart, StreamEditor
from ttsr_ls.bridge.wire.fields import get_field, get_integer, get_list, get_text

_DONE = "[DONE]"
_TEXT = "text"


class ChatStream(StreamEditor):
    """Edits the answers of one exchange; of several choices the first is read."""

    def __init__(self) -> None:
        super().__init__()
        self._head: dict[str, Any] = {}
        self._sent_texts: list[str] = []
        self._calls: dict[int, str] = {}

    def read(self, frame: SseFrame) -> tuple[Any, FrameRole]:
        if frame.data is not None and frame.data.strip() == _DONE:
            return None, FINISH
        chunk = json_event(frame)
        if chunk is None:
            return None, NEUTRAL
        if get_field(chunk, "error") is not None:
            return chunk, FAILURE
        choices = get_list(chunk, "choices")
        if not choices:
            return chunk, FINISH if get_field(chunk, "usage") is not None else NEUTRAL
        choice = next((choice for choice in choices if get_integer(choice, "index") == 0), None)
        delta = get_field(choice, "delta")
        if get_text(choice, "finish_reason"):
            return chunk, FINISH
        calls = get_list(delta, "tool_calls")
        if calls or get_field(delta, "function_call") is not None:
            index = get_integer(calls[0], "index") if calls else 0
            return chunk, FrameRole(FrameKind.DELTA, index, PartKind.CALL, closes=(_TEXT,))
        text = chat_text(delta)
        if text:
            return chunk, FrameRole(FrameKind.DELTA, _TEXT, PartKind.TEXT, len(text))
        if get_text(delta, "reasoning_content") or get_text(delta, "reasoning"):
            return chunk, FrameRole(FrameKind.DELTA, "thinking", PartKind.THINKING, closes=(_TEXT,))
        return chunk, HEAD if get_text(delta, "role") else NEUTRAL

    def write(self, frame: HeldFrame) -> bytes:
        chunk = frame.event
        if chunk is None:
            return frame.raw
        if frame.role.kind is FrameKind.HEAD and self.attempt:
            return b""
        if not self._head:
            self._head = {key: chunk[key] for key in ("id", "created", "model", "object") if key in chunk}
        self._track(chunk)
        if self.attempt == 0:
            return frame.raw
        return sse_bytes("", json.dumps({**chunk, **self._head}, ensure_ascii=False, separators=(",", ":")))

    def sent_parts(self) -> list[SentPart]:
        """The text and the calls of the current attempt that were sent to the client."""
        text = "".join(self._sent_texts)
        parts = [SentPart(text_identity(text), text)] if text else []
        return [*parts, *(SentPart(call_identity(call), call) for call in self._calls.values() if call)]

    @property
    def has_sent_call(self) -> bool:
        return bool(self._calls)

    def restart(self) -> bytes:
        """Ends the current attempt. Sends nothing, because this API does not mark the end of a part."""
        self._sent_texts = []
        self.attempt += 1
        return b""

    def end_early(self) -> bytes:
        choice = {"index": 0, "delta": {}, "finish_reason": "tool_calls"}
        ended = sse_bytes("", json.dumps({**self._head, "choices": [choice]}))
        return ended + sse_bytes("", _DONE)

    def fail(self, message: str) -> bytes:
        return sse_bytes("", json.dumps({"error": {"message": message, "type": "server_error", "code": None}}))

    def _track(self, chunk: Any) -> None:
        for choice in get_list(chunk, "choices"):
            if get_integer(choice, "index") == 0:
                delta = get_field(choice, "delta")
                self._sent_texts.append(chat_text(delta))
                for call in get_list(delta, "tool_calls"):
                    index = get_integer(call, "index")
                    self._calls[index] = self._calls.get(index) or get_text(call, "id")


def chat_text(message: Any) -> str:
    """The text of a message or a delta, whose content is a string or a list of parts."""
    content = get_field(message, "content")
    if isinstance(content, str):
        return content
    return "".join(get_text(part, "text") for part in get_list(message, "content"))
