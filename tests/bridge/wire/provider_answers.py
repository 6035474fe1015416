"""Answers as each provider streams them: the same parts on four wires, their texts cut anywhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from ttsr_ls.session.history.turn_output import Text, Thinking, ToolCall
from ttsr_ls.session.output.wire_events import Api

Event = dict[str, Any]
Part = Text | Thinking | ToolCall
Cut = Callable[[str], list[str]]

USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
STOPS = {
    Api.ANTHROPIC: "end_turn",
    Api.OPENAI_CHAT: "stop",
    Api.OPENAI_RESPONSES: "completed",
    Api.GEMINI: "STOP",
}


def whole(text: str) -> list[str]:
    return [text]


def by_character(text: str) -> list[str]:
    return list(text)


def answer(api: Api, parts: Sequence[Part], cut: Cut = whole) -> list[Event]:
    """A complete answer with these parts."""
    wires = {
        Api.ANTHROPIC: _anthropic,
        Api.OPENAI_CHAT: _chat,
        Api.OPENAI_RESPONSES: _responses,
        Api.GEMINI: _gemini,
    }
    return list(wires[api](parts, cut))


def as_read(api: Api, parts: list[Part]) -> list[Part]:
    """The parts as they come out of the wire: Gemini's has the arguments of calls as values, and not as text."""
    if api is not Api.GEMINI:
        return parts
    return [
        replace(part, arguments=json.dumps(json.loads(part.arguments), ensure_ascii=False, separators=(",", ":")))
        if isinstance(part, ToolCall)
        else part
        for part in parts
    ]


def _anthropic(parts: Sequence[Part], cut: Cut) -> Iterator[Event]:
    yield {"type": "message_start", "message": {"id": "msg_1", "model": "m-1", "content": [], "usage": {}}}
    yield {"type": "ping"}
    for index, part in enumerate(parts):
        match part:
            case Text():
                block: Event = {"type": "text", "text": ""}
                deltas: list[Event] = [{"type": "text_delta", "text": piece} for piece in cut(part.text)]
            case Thinking():
                block = {"type": "thinking", "thinking": "", "signature": ""}
                deltas = [{"type": "thinking_delta", "thinking": piece} for piece in cut(part.text)]
                deltas += [{"type": "signature_delta", "signature": piece} for piece in cut(part.signature or "")]
            case ToolCall():
                block = {"type": "tool_use", "id": part.id, "name": part.tool, "input": {}}
                deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in ["", *cut(part.arguments)]]
        yield {"type": "content_block_start", "index": index, "content_block": block}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    yield {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 3}}
    yield {"type": "message_stop"}


def chunk(delta: Event, finish_reason: str | None = None) -> Event:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return {"id": "c-1", "object": "chat.completion.chunk", "created": 1, "model": "m-1", "choices": [choice]}


def _chat(parts: Sequence[Part], cut: Cut) -> Iterator[Event]:
    yield chunk({"role": "assistant", "content": ""})
    calls = 0
    for part in parts:
        match part:
            case Text():
                yield from (chunk({"content": piece}) for piece in cut(part.text))
            case Thinking():
                yield from (chunk({"reasoning_content": piece}) for piece in cut(part.text))
            case ToolCall():
                first = {"index": calls, "id": part.id, "type": "function", "function": {"name": part.tool}}
                yield chunk({"tool_calls": [first]})
                for piece in cut(part.arguments):
                    yield chunk({"tool_calls": [{"index": calls, "function": {"arguments": piece}}]})
                calls += 1
    yield chunk({}, "stop")
    yield {"id": "c-1", "object": "chat.completion.chunk", "created": 1, "model": "m-1", "choices": [], "usage": USAGE}


def _responses(parts: Sequence[Part], cut: Cut) -> Iterator[Event]:
    yield {"type": "response.created", "response": {"id": "resp_1", "model": "m-1", "output": []}}
    yield {"type": "response.in_progress", "response": {"id": "resp_1", "model": "m-1", "output": []}}
    items = []
    for index, part in enumerate(parts):
        match part:
            case Text():
                opened: Event = {"type": "message", "id": f"item_{index}", "role": "assistant", "content": []}
                done = opened | {"content": [{"type": "output_text", "text": part.text, "annotations": []}]}
                kind, finished = "response.output_text", {"text": part.text}
                pieces = cut(part.text)
            case Thinking():
                opened = {"type": "reasoning", "id": f"item_{index}", "summary": []}
                done = opened | {"content": [{"type": "reasoning_text", "text": part.text}]}
                kind, finished = "response.reasoning_text", {"text": part.text}
                pieces = cut(part.text)
            case ToolCall():
                opened = {"type": "function_call", "id": f"item_{index}", "call_id": part.id, "name": part.tool}
                done = opened | {"arguments": part.arguments, "status": "completed"}
                kind, finished = "response.function_call_arguments", {"arguments": part.arguments}
                pieces = cut(part.arguments)
        place = {"item_id": f"item_{index}", "output_index": index}
        yield {"type": "response.output_item.added", "output_index": index, "item": opened}
        yield from ({"type": f"{kind}.delta", "delta": piece, **place} for piece in pieces)
        yield {"type": f"{kind}.done", **place, **finished}
        yield {"type": "response.output_item.done", "output_index": index, "item": done}
        items.append(done)
    yield {"type": "response.completed", "response": {"id": "resp_1", "model": "m-1", "output": items}}


def gemini_chunk(*parts: Event, **candidate: object) -> Event:
    content = {"parts": list(parts), "role": "model"}
    return {"candidates": [{"content": content, "index": 0, **candidate}], "modelVersion": "m-1", "responseId": "r"}


def _gemini(parts: Sequence[Part], cut: Cut) -> Iterator[Event]:
    for part in parts:
        match part:
            case Text():
                yield from (gemini_chunk({"text": piece}) for piece in cut(part.text))
            case Thinking():
                yield from (gemini_chunk({"text": piece, "thought": True}) for piece in cut(part.text))
                if part.signature is not None:
                    yield gemini_chunk({"text": "", "thought": True, "thoughtSignature": part.signature})
            case ToolCall():
                call = {"id": part.id, "name": part.tool, "args": json.loads(part.arguments or "{}")}
                yield gemini_chunk({"functionCall": call})
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    yield {**gemini_chunk({"text": ""}, finishReason="STOP"), "usageMetadata": usage}


def arguments(**values: object) -> str:
    return json.dumps(values, ensure_ascii=False)
