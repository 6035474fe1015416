"""Generates lines of Claude Code's output for tests."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

Line = dict[str, Any]


def to_bytes(lines: Iterable[Line]) -> bytes:
    return b"".join(json.dumps(line, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n" for line in lines)


def init(cwd: str = "/home/dev/shop") -> Line:
    return {"type": "system", "subtype": "init", "cwd": cwd, "session_id": "s1", "model": "m"}


def event(event: Line, agent: str | None = None) -> Line:
    return {"type": "stream_event", "event": event, "parent_tool_use_id": agent}


def message_start(message: str = "msg1", agent: str | None = None) -> Line:
    return event({"type": "message_start", "message": {"id": message, "model": "m", "content": []}}, agent)


def message_stop(reason: str | None = "end_turn", agent: str | None = None) -> list[Line]:
    return [
        event({"type": "message_delta", "delta": {"stop_reason": reason}}, agent),
        event({"type": "message_stop"}, agent),
    ]


def prose(kind: str, pieces: Iterable[str], index: int = 0, agent: str | None = None) -> list[Line]:
    deltas: Iterable[Line] = ({"type": f"{kind}_delta", kind: piece} for piece in pieces)
    return block({"type": kind, kind: ""}, deltas, index, agent)


def tool(
    name: str, pieces: Iterable[str], index: int = 0, call: str = "toolu_1", agent: str | None = None
) -> list[Line]:
    deltas: Iterable[Line] = ({"type": "input_json_delta", "partial_json": piece} for piece in pieces)
    return block({"type": "tool_use", "id": call, "name": name, "input": {}}, deltas, index, agent)


def block(content: Line, deltas: Iterable[Line], index: int, agent: str | None) -> list[Line]:
    return [
        event({"type": "content_block_start", "index": index, "content_block": content}, agent),
        *(event({"type": "content_block_delta", "index": index, "delta": delta}, agent) for delta in deltas),
        event({"type": "content_block_stop", "index": index}, agent),
    ]


def answer(
    *blocks: list[Line], message: str = "msg1", reason: str | None = "end_turn", agent: str | None = None
) -> list[Line]:
    return [message_start(message, agent), *(line for lines in blocks for line in lines), *message_stop(reason, agent)]


def whole(*content: Line, message: str = "msg1", agent: str | None = None) -> list[Line]:
    """The lines without partial messages: one for each block."""
    return [
        {
            "type": "assistant",
            "message": {"id": message, "model": "m", "role": "assistant", "content": [item]},
            "parent_tool_use_id": agent,
        }
        for item in content
    ]


def tool_result(call: str, text: str, agent: str | None = None, error: bool = False) -> Line:
    result = {"type": "tool_result", "tool_use_id": call, "content": text, "is_error": error}
    return {"type": "user", "message": {"role": "user", "content": [result]}, "parent_tool_use_id": agent}


def prompt(text: str) -> Line:
    return {"type": "user", "message": {"role": "user", "content": text}, "parent_tool_use_id": None}


def result(reason: str = "completed", error: bool = False, text: str = "") -> Line:
    return {"type": "result", "subtype": "success", "is_error": error, "terminal_reason": reason, "result": text}


def cut(text: str, size: int) -> list[str]:
    return [text[position : position + size] for position in range(0, len(text), size)]
