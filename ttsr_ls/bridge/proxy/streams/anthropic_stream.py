"""Anthropic's Messages API: blocks with an index, opened and closed, in one message."""

from __future__ import annotations

import json
from typing import Any

from ttsr_ls.bridge.proxy.ledger.identity import Identity, call_identity, content_digest, sealed_identity, text_identity
from ttsr_ls.bridge.proxy.streams.frame_role import FAILURE, FINISH, HEAD, NEUTRAL, FrameKind, FrameRole, PartKind
from ttsr_ls.bridge.proxy.streams.hold_back_buffer import HeldFrame
from ttsr_ls.bridge.proxy.streams.json_events import json_event
from ttsr_ls.bridge.proxy.streams.sse_frames import SseFrame, sse_bytes
from ttsr_ls.bridge.proxy.streams.stream_editor import CHARACTERS_PER_TOKEN, SentPart, StreamEditor
from ttsr_ls.bridge.wire.fields import get_field, get_integer, get_text

_KINDS = {
    "text": PartKind.TEXT,
    "thinking": PartKind.THINKING,
    "redacted_thinking": PartKind.THINKING,
    "tool_use": PartKind.CALL,
}
_GROWING = {
    "text_delta": ("text", "text"),
    "thinking_delta": ("thinking", "thinking"),
    "signature_delta": ("signature", "signature"),
    "input_json_delta": ("partial_json", "input"),
}
"""For each type of delta: its field with the new text, and the field of the block that it extends."""
_BLOCK_KINDS = {"content_block_start": FrameKind.OPEN, "content_block_stop": FrameKind.CLOSE}


class _ShownBlock:
    __slots__ = ("_added", "_block", "is_open")

    def __init__(self, block: dict[str, Any]) -> None:
        self._block = block
        self._added: dict[str, list[str]] = {}
        self.is_open = True

    def add(self, key: str, text: str) -> None:
        self._added.setdefault(key, []).append(text)

    @property
    def content(self) -> dict[str, Any]:
        """The block as a request holds it."""
        content = dict(self._block)
        for key, texts in self._added.items():
            if key != "input":
                content[key] = get_text(content, key) + "".join(texts)
                continue
            try:
                content["input"] = json.loads("".join(texts))
            except ValueError:  # The call is incomplete.
                continue
        return content


class AnthropicStream(StreamEditor):
    """Edits the answers of one exchange."""

    keep_alive = sse_bytes("ping", '{"type": "ping"}')

    def __init__(self) -> None:
        super().__init__()
        self._kinds: dict[int, PartKind] = {}
        self._offset = 0
        self._shown: dict[int, _ShownBlock] = {}
        self._calls = 0
        self._characters = 0

    def read(self, frame: SseFrame) -> tuple[Any, FrameRole]:
        event = json_event(frame)
        if event is None:
            return None, NEUTRAL
        kind = get_text(event, "type")
        if kind == "content_block_delta":
            index, delta = get_integer(event, "index"), get_field(event, "delta")
            part_kind = self._kinds.get(index, PartKind.OTHER)
            return event, FrameRole(FrameKind.DELTA, index, part_kind, len(get_text(delta, "text")))
        if kind in _BLOCK_KINDS:
            index = get_integer(event, "index")
            if kind == "content_block_stop":
                return event, FrameRole(FrameKind.CLOSE, index, self._kinds.get(index, PartKind.OTHER), closes=(index,))
            block = get_field(event, "content_block")
            part_kind = self._kinds[index] = _KINDS.get(get_text(block, "type"), PartKind.OTHER)
            text_length = len(get_text(block, "text"))
            return event, FrameRole(FrameKind.DELTA if text_length else FrameKind.OPEN, index, part_kind, text_length)
        match kind:
            case "message_start":
                return event, HEAD
            case "message_delta" | "message_stop":
                return event, FINISH
            case "error":
                return event, FAILURE
            case _:
                return event, NEUTRAL

    def write(self, frame: HeldFrame) -> bytes:
        role, event = frame.role, frame.event
        if role.kind is FrameKind.HEAD:
            return frame.raw if self.attempt == 0 else b""
        if role.part is None:
            return frame.raw
        self._track(event)
        if self._offset == 0:
            return frame.raw
        moved = {**event, "index": get_integer(event, "index") + self._offset}
        return sse_bytes(get_text(event, "type"), json.dumps(moved, ensure_ascii=False, separators=(",", ":")))

    def sent_parts(self) -> list[SentPart]:
        """The blocks of the current attempt that were sent to the client.

        Thinking without its signature has no identity.
        """
        parts = []
        for block in self._shown.values():
            content = block.content
            identity = block_identity(content)
            if identity is not None:
                parts.append(SentPart(identity, content))
        return parts

    @property
    def has_sent_call(self) -> bool:
        return self._calls > 0

    def restart(self) -> bytes:
        closing = self._close_open()
        self._offset += max(self._shown, default=-1) + 1
        self._shown = {}
        self._kinds = {}
        self.attempt += 1
        return closing

    def end_early(self) -> bytes:
        """Ends the message after the tool calls that were sent to the client."""
        delta = {"stop_reason": "tool_use", "stop_sequence": None}
        usage = {"output_tokens": max(1, self._characters // CHARACTERS_PER_TOKEN)}
        ended = _event({"type": "message_delta", "delta": delta, "usage": usage})
        return self._close_open() + ended + _event({"type": "message_stop"})

    def fail(self, message: str) -> bytes:
        return _event({"type": "error", "error": {"type": "api_error", "message": message}})

    def _close_open(self) -> bytes:
        closing = b""
        for index, block in self._shown.items():
            if block.is_open:
                block.is_open = False
                closing += _event({"type": "content_block_stop", "index": index + self._offset})
        return closing

    def _track(self, event: Any) -> None:
        index = get_integer(event, "index")
        match get_text(event, "type"):
            case "content_block_start":
                block = get_field(event, "content_block")
                self._shown[index] = _ShownBlock(block if isinstance(block, dict) else {})
                self._calls += get_text(block, "type") == "tool_use"
            case "content_block_delta" if index in self._shown:
                delta = get_field(event, "delta")
                source, key = _GROWING.get(get_text(delta, "type"), ("", ""))
                text = get_text(delta, source)
                if text:
                    self._shown[index].add(key, text)
                    self._characters += len(text)
            case "content_block_stop" if index in self._shown:
                self._shown[index].is_open = False
            case _:
                pass


def block_identity(block: Any) -> Identity | None:
    """Returns the identity of a block; None if nothing distinguishes it from others."""
    match get_text(block, "type"):
        case "text":
            return text_identity(get_text(block, "text"))
        case "thinking":
            signature = get_text(block, "signature")
            return sealed_identity(signature) if signature else None
        case "redacted_thinking":
            return sealed_identity(get_text(block, "data"))
        case "tool_use" | "server_tool_use" | "mcp_tool_use":
            return call_identity(get_text(block, "id"))
        case _:
            return Identity(f"d:{content_digest(block)}")


def _event(event: dict[str, Any]) -> bytes:
    return sse_bytes(event["type"], json.dumps(event, ensure_ascii=False, separators=(",", ":")))
