"""OpenAI's Responses API: items with an index, events with a number, and a final object that repeats everything."""

from __future__ import annotations

import json
from typing import Any

from ttsr_ls.bridge.proxy.ledger.identity import Identity, call_identity, content_digest, sealed_identity, text_identity
from ttsr_ls.bridge.proxy.streams.frame_role import FAILURE, FINISH, HEAD, NEUTRAL, FrameKind, FrameRole, PartKind
from ttsr_ls.bridge.proxy.streams.hold_back_buffer import HeldFrame
from ttsr_ls.bridge.proxy.streams.json_events import json_event
from ttsr_ls.bridge.proxy.streams.responses_item import SentItem
from ttsr_ls.bridge.proxy.streams.sse_frames import SseFrame, sse_bytes
from ttsr_ls.bridge.proxy.streams.stream_editor import CHARACTERS_PER_TOKEN, SentPart, StreamEditor
from ttsr_ls.bridge.wire.fields import get_field, get_integer, get_list, get_text

_HEADS = frozenset(("response.created", "response.in_progress", "response.queued"))
_ENDS = frozenset(("response.completed", "response.incomplete"))
_PROSE = frozenset(("response.output_text.delta", "response.refusal.delta"))


class ResponsesStream(StreamEditor):
    """Edits the answers of one exchange. `is_stored`: upstream keeps answers, which later requests name by their id."""

    def __init__(self, *, is_stored: bool) -> None:
        super().__init__()
        self._is_stored = is_stored
        self._kinds: dict[int, PartKind] = {}
        self._offset = 0
        self._number = -1
        self._head: dict[str, Any] = {}
        self._earlier: list[dict[str, Any]] = []
        """The items of the attempts that ended."""
        self._items: dict[int, SentItem] = {}
        self._calls = 0

    def read(self, frame: SseFrame) -> tuple[Any, FrameRole]:
        event = json_event(frame)
        if event is None:
            return None, NEUTRAL
        kind = get_text(event, "type")
        index = get_integer(event, "output_index")
        if kind in _PROSE:
            return event, FrameRole(FrameKind.DELTA, index, PartKind.TEXT, len(get_text(event, "delta")))
        if kind in _HEADS:
            return event, HEAD
        if kind in _ENDS:
            return event, FINISH
        if kind in ("response.failed", "error"):
            return event, FAILURE
        if get_field(event, "output_index") is None:
            return event, NEUTRAL
        if kind in ("response.output_item.added", "response.output_item.done"):
            self._kinds.setdefault(index, _kind_of(get_field(event, "item")))
        part_kind = self._kinds.get(index, PartKind.OTHER)
        match kind:
            case "response.output_item.added" | "response.content_part.added":
                return event, FrameRole(FrameKind.OPEN, index, part_kind)
            case "response.output_item.done":
                return event, FrameRole(FrameKind.CLOSE, index, part_kind, closes=(index,))
            case _:
                return event, FrameRole(FrameKind.DELTA, index, part_kind)

    def write(self, frame: HeldFrame) -> bytes:
        event, role_part = frame.event, frame.role.part
        if event is None:
            return frame.raw
        if frame.role.kind is FrameKind.HEAD:
            if self.attempt:
                return b""
            self._head = get_field(event, "response") or {}
        elif role_part is not None:
            self._track(event)
        if self.attempt == 0:
            if "sequence_number" in event:
                self._number = max(self._number, get_integer(event, "sequence_number"))
            return frame.raw
        if role_part is None and "sequence_number" not in event:
            return frame.raw
        return self._event(self._renumbered(event))

    def sent_parts(self) -> list[SentPart]:
        """The items of the current attempt that were sent to the client."""
        parts = []
        for item in self._items.values():
            echo = item.item
            identity = item_identity(echo)
            if identity is not None:
                # An id refers to an item that upstream stored; it does not store those of an interrupted answer.
                kept = {key: value for key, value in echo.items() if key not in ("id", "status")}
                parts.append(SentPart(identity, kept))
        return parts

    @property
    def has_sent_call(self) -> bool:
        return self._calls > 0

    def restart(self) -> bytes:
        closing = self._close_open()
        self._earlier += [item.item for item in self._items.values()]
        self._offset += max(self._items, default=-1) + 1
        self._items = {}
        self._kinds = {}
        self.attempt += 1
        return closing

    def end_early(self) -> bytes:
        """Ends the response after the tool calls that were sent to the client."""
        closing = self._close_open()
        items = [*self._earlier, *(item.item for item in self._items.values())]
        token_estimate = max(1, len(json.dumps(items)) // CHARACTERS_PER_TOKEN)
        usage = {"input_tokens": 0, "output_tokens": token_estimate, "total_tokens": token_estimate}
        response = {**self._head, "status": "completed", "output": items, "usage": usage}
        return closing + self._event({"type": "response.completed", "response": response})

    def fail(self, message: str) -> bytes:
        error = {"code": "server_error", "message": message}
        response = {**self._head, "status": "failed", "error": error}
        return self._event({"type": "response.failed", "response": response})

    def _close_open(self) -> bytes:
        closing = b""
        for index, item in self._items.items():
            for event in item.close():
                closing += self._event({**event, "output_index": index + self._offset})
        return closing

    def _track(self, event: Any) -> None:
        index = get_integer(event, "output_index")
        item = self._items.get(index)
        if item is None:
            given = get_field(event, "item")
            item = self._items[index] = SentItem(given if isinstance(given, dict) else {})
            self._calls += _kind_of(given) is PartKind.CALL
        item.add_event(event)

    def _renumbered(self, event: dict[str, Any]) -> dict[str, Any]:
        moved = dict(event)
        if "output_index" in moved:
            moved["output_index"] = get_integer(event, "output_index") + self._offset
        response = moved.get("response")
        if isinstance(response, dict):
            kept = {} if self._is_stored else {"id": self._head.get("id", response.get("id"))}
            moved["response"] = {**response, **kept, "output": [*self._earlier, *get_list(response, "output")]}
        return moved

    def _event(self, event: dict[str, Any]) -> bytes:
        numbered = event
        if self._number >= 0:  # Some servers do not number events.
            self._number += 1
            numbered = {**event, "sequence_number": self._number}
        return sse_bytes(get_text(event, "type"), json.dumps(numbered, ensure_ascii=False, separators=(",", ":")))


def _kind_of(item: Any) -> PartKind:
    match get_text(item, "type"):
        case "message":
            return PartKind.TEXT
        case "reasoning":
            return PartKind.THINKING
        case "function_call" | "custom_tool_call" | "local_shell_call" | "shell_call" | "apply_patch_call":
            return PartKind.CALL
        case _:
            return PartKind.OTHER


def item_identity(item: Any) -> Identity | None:
    """Returns the identity of an item; None if nothing distinguishes it from others."""
    call = get_text(item, "call_id")
    if call:
        return call_identity(call)
    match get_text(item, "type"):
        case "message":
            return text_identity(message_text(item))
        case "reasoning":
            sealed = get_text(item, "encrypted_content")
            return sealed_identity(sealed) if sealed else None
        case _:
            return Identity(f"d:{content_digest(item)}")


def message_text(item: Any) -> str:
    """Returns the text or refusal of a message, without annotations."""
    content = get_field(item, "content")
    if isinstance(content, str):
        return content
    return "".join(get_text(part, "text") or get_text(part, "refusal") for part in get_list(item, "content"))
