"""What agents, models, and clients send, with a text in deltas of 20 units: input of `watch`, `agent`, and `mcp`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

_UNITS = 20


def deltas_of(text: str, units: int = _UNITS) -> list[str]:
    """A text in deltas."""
    return [text[position : position + units] for position in range(0, len(text), units)]


def answer_events(text: Iterable[str], arguments: Iterable[str] = (), tool: str = "Write") -> list[dict[str, object]]:
    """The events of an answer as Anthropic streams it: prose, then a call of a tool."""
    message = {"id": "m", "type": "message", "role": "assistant", "content": [], "model": "m", "usage": {}}
    call = {"type": "tool_use", "id": "c", "name": tool, "input": {}}
    called = [{"type": "input_json_delta", "partial_json": piece} for piece in arguments]
    return [
        {"type": "message_start", "message": message},
        *block(0, {"type": "text", "text": ""}, [{"type": "text_delta", "text": piece} for piece in text]),
        *(block(1, call, called) if called else []),
        {"type": "message_delta", "delta": {"stop_reason": "tool_use" if called else "end_turn"}, "usage": {}},
        {"type": "message_stop"},
    ]


def block(index: int, start: Mapping[str, object], deltas: Iterable[Mapping[str, object]]) -> list[dict[str, object]]:
    """The events of a block of an answer."""
    return [
        {"type": "content_block_start", "index": index, "content_block": start},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def claude_lines(events: Iterable[object], parent: str | None = None) -> str:
    """What Claude Code prints for these events."""
    head = {"type": "system", "subtype": "init", "cwd": "/p", "session_id": "s", "model": "m"}
    lines = [
        head,
        *({"type": "stream_event", "event": e, "session_id": "s", "parent_tool_use_id": parent} for e in events),
    ]
    return "".join(json.dumps(line) + "\n" for line in lines)


def sse(events: Iterable[object]) -> bytes:
    """Server-sent events."""
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events).encode()


def model_answer(provider: str, text: Sequence[str], arguments: Sequence[str] = (), tool: str = "write") -> bytes:
    """An answer on the wire of a provider."""
    match provider:
        case "anthropic":
            return sse(answer_events(text, arguments, tool))
        case "openai":
            return _chat(text, arguments, tool)
        case "openai-responses":
            return _responses(text, arguments, tool)
        case _:
            parts: list[dict[str, object]] = [{"text": piece} for piece in text]
            if arguments:
                parts.append({"functionCall": {"name": tool, "args": {"text": "".join(arguments)}}})
            return sse({"candidates": [{"content": {"role": "model", "parts": [part]}}]} for part in parts) + sse(
                [{"candidates": [{"content": {"parts": []}, "finishReason": "STOP"}]}]
            )


def _chat(text: Sequence[str], arguments: Sequence[str], tool: str) -> bytes:
    deltas: list[dict[str, object]] = [{"role": "assistant", "content": piece} for piece in text]
    if arguments:
        call = {"index": 0, "id": "c", "type": "function", "function": {"name": tool, "arguments": ""}}
        deltas.append({"tool_calls": [call]})
    deltas += [{"tool_calls": [{"index": 0, "function": {"arguments": piece}}]} for piece in arguments]
    end = {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls" if arguments else "stop"}]}
    return sse([*({"choices": [{"index": 0, "delta": delta}]} for delta in deltas), end]) + b"data: [DONE]\n\n"


def _responses(text: Sequence[str], arguments: Sequence[str], tool: str) -> bytes:
    spoken = {"type": "message", "id": "t", "role": "assistant", "content": []}
    called = {"type": "function_call", "id": "f", "call_id": "c", "name": tool, "arguments": ""}
    where = {"item_id": "t", "output_index": 0, "content_index": 0}
    events: list[dict[str, object]] = [{"type": "response.output_item.added", "output_index": 0, "item": spoken}]
    events += [{"type": "response.output_text.delta", **where, "delta": piece} for piece in text]
    whole = {**spoken, "content": [{"type": "output_text", "text": "".join(text)}]}
    events.append({"type": "response.output_item.done", "output_index": 0, "item": whole})
    if arguments:
        events.append({"type": "response.output_item.added", "output_index": 1, "item": called})
        events += [
            {"type": "response.function_call_arguments.delta", "item_id": "f", "output_index": 1, "delta": piece}
            for piece in arguments
        ]
        done = {**called, "arguments": "".join(arguments)}
        events.append({"type": "response.output_item.done", "output_index": 1, "item": done})
    events.append({"type": "response.completed", "response": {"status": "completed", "output": [], "usage": None}})
    return sse(events)


def mcp_lines(calls: Iterable[tuple[str, object]]) -> str:
    """A client's messages: the beginning, and calls of tools with arguments."""
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    messages: list[dict[str, object]] = [
        {"id": 0, "method": "initialize", "params": client},
        {"method": "notifications/initialized"},
        {"id": 1, "method": "tools/list"},
    ]
    messages += [
        {"id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        for number, (name, arguments) in enumerate(calls, start=2)
    ]
    return "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)
