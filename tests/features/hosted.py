"""A real session with features, and a scripted model."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable
from typing import Any

from ttsr_ls.bridge.host.session import Session

Event = dict[str, Any]
Call = tuple[str, object]


async def answer(text: str, calls: Iterable[Call] = (), number: int = 0) -> AsyncIterator[Event]:
    """An answer with a text and tool calls, as Anthropic's API streams it."""
    yield {"type": "message_start", "message": {"id": "m", "model": "m-1", "content": [], "usage": {}}}
    blocks: list[tuple[Event, Event]] = [({"type": "text", "text": ""}, {"type": "text_delta", "text": text})]
    for index, (tool, arguments) in enumerate(calls):
        block = {"type": "tool_use", "id": f"c{number}.{index}", "name": tool, "input": {}}
        written = arguments if isinstance(arguments, str) else json.dumps(arguments)
        blocks.append((block, {"type": "input_json_delta", "partial_json": written}))
    for index, (block, delta) in enumerate(blocks):
        yield {"type": "content_block_start", "index": index, "content_block": block}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    yield {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {}}
    yield {"type": "message_stop"}


async def run_turn(session: Session, *answers: Iterable[Call]) -> list[list[Event]]:
    """A turn in which the model makes these calls, answer by answer, and then says one thing more.

    Gives what each request sent. Calls of features' tools are run, others are answered with `fine`.
    """
    sent: list[list[Event]] = []
    script = [*answers, ()]
    async with session.turn("go") as turn:
        async for request in turn:
            sent.append(request.messages)
            calls = script.pop(0) if script else ()
            async for _ in request.watch(answer("Well.", calls, len(session.turns) * 1000 + len(sent))):
                pass
            for call in request.calls:
                if request.has_tool(call):
                    await request.run(call)
                else:
                    await request.result(call.id, "fine")
    return sent


def texts(messages: list[Event], role: str = "user") -> list[str]:
    """All texts and results of a role's messages."""
    found: list[str] = []
    for message in messages:
        if message["role"] == role:
            content = message["content"]
            blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
            for block in blocks:
                if block["type"] == "text":
                    found.append(block["text"])
                elif block["type"] == "tool_result":
                    inner = block["content"]
                    found += [inner] if isinstance(inner, str) else [part["text"] for part in inner]
    return found
