"""Answers of a model as events of the Anthropic Messages API, in pieces that are given; stdlib only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

Event = dict[str, Any]
Block = dict[str, Any]
"""`{"text": [piece, …]}`, `{"thinking": […]}`, or `{"tool": name, "json": […]}` with the pieces of the arguments."""

_DELTAS = {"text": ("text_delta", "text"), "thinking": ("thinking_delta", "thinking")}


def events(blocks: Sequence[Block], number: int) -> Iterator[Event]:
    """The events of an answer; `number` tells it from others of a session."""
    message: Event = {"id": f"msg_{number}", "type": "message", "role": "assistant", "content": []}
    message |= {"model": "scripted", "stop_reason": None, "stop_sequence": None}
    yield {"type": "message_start", "message": message | {"usage": {"input_tokens": 100, "output_tokens": 1}}}
    for index, block in enumerate(blocks):
        start, deltas = _parts(block, f"toolu_{number}_{index}")
        yield {"type": "content_block_start", "index": index, "content_block": start}
        yield from ({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas)
        yield {"type": "content_block_stop", "index": index}
    delta = {"stop_reason": "tool_use" if any("tool" in block for block in blocks) else "end_turn"}
    yield {"type": "message_delta", "delta": delta | {"stop_sequence": None}, "usage": {"output_tokens": 20}}
    yield {"type": "message_stop"}


def is_piece(event: Event) -> bool:
    """Returns whether an event has a piece of an answer."""
    return event["type"] == "content_block_delta" and event["delta"]["type"] != "signature_delta"


def _parts(block: Block, call: str) -> tuple[Event, list[Event]]:
    if "tool" in block:
        start = {"type": "tool_use", "id": call, "name": block["tool"], "input": {}}
        return start, [{"type": "input_json_delta", "partial_json": piece} for piece in block["json"]]
    ((kind, pieces),) = block.items()
    delta, key = _DELTAS[kind]
    signature = [{"type": "signature_delta", "signature": "c2lnbmVk"}] if kind == "thinking" else []
    empty = {"signature": ""} if signature else {}
    return {"type": kind, key: "", **empty}, [*({"type": delta, key: piece} for piece in pieces), *signature]
