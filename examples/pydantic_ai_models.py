"""An agent on the models of pydantic-ai that reads files, with rules.

Run it with `python pydantic_ai_models.py "What is in README.md?"`.

pydantic-ai has its own messages and events for all providers. `to_pydantic_ai` converts the messages of the session,
and `wire_events` converts the events of the model to events that the session reads.
"""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from pydantic_ai import messages as wire
from pydantic_ai.direct import model_request_stream
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from ttsr_ls import Session

PATH = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
READ = ToolDefinition(name="read", description="Reads a file.", parameters_json_schema=PATH)


async def main(prompt: str) -> None:
    model = os.environ.get("MODEL", "anthropic:claude-sonnet-4-5")
    session = await Session.open(rules=[Path(".omp/rules")], log=Path("session.jsonl"), api="anthropic")
    async with session, session.turn(prompt) as turn:
        async for request in turn:
            async for event in request.watch(stream(model, request.messages, request.tools)):
                if event["type"] == "content_block_delta" and event["delta"]["type"] == "text_delta":
                    print(event["delta"]["text"], end="", flush=True)
            for call in request.calls:
                await request.result(call.id, read(json.loads(call.arguments)))
    print()


async def stream(model: str, messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> AsyncIterator[Any]:
    """Yields the events of a model of pydantic-ai as events of Anthropic's API."""
    parameters = ModelRequestParameters(function_tools=[READ, *(tool_definition(tool) for tool in tools)])
    async with model_request_stream(model, to_pydantic_ai(messages), model_request_parameters=parameters) as answer:
        yield {"type": "message_start", "message": {"model": answer.model_name}}
        async for event in answer:
            for wire_event in wire_events(event):
                yield wire_event
        reason = answer.get().finish_reason
    yield {"type": "message_delta", "delta": {"stop_reason": reason or "stop"}}
    yield {"type": "message_stop"}


def tool_definition(tool: dict[str, Any]) -> ToolDefinition:
    return ToolDefinition(
        name=tool["name"], description=tool["description"], parameters_json_schema=tool["input_schema"]
    )


def wire_events(event: Any) -> list[dict[str, Any]]:
    """Converts one event of pydantic-ai."""
    match event:
        case wire.PartStartEvent(part=wire.TextPart() as part):
            return [block_start(event, {"type": "text", "text": ""}), text_delta(event, part.content)]
        case wire.PartStartEvent(part=wire.ThinkingPart() as part):
            block = {"type": "thinking", "thinking": part.content, "signature": part.signature or ""}
            return [block_start(event, block)]
        case wire.PartStartEvent(part=wire.ToolCallPart() as part):
            call = {"type": "tool_use", "id": part.tool_call_id, "name": part.tool_name, "input": {}}
            return [block_start(event, call), arguments_delta(event, part.args_as_json_str() if part.args else "")]
        case wire.PartDeltaEvent(delta=wire.TextPartDelta() as more):
            return [text_delta(event, more.content_delta)]
        case wire.PartDeltaEvent(delta=wire.ThinkingPartDelta() as more):
            return [
                block_delta(event, {"type": "thinking_delta", "thinking": more.content_delta or ""}),
                block_delta(event, {"type": "signature_delta", "signature": more.signature_delta or ""}),
            ]
        case wire.PartDeltaEvent(delta=wire.ToolCallPartDelta(args_delta=str() as more)):
            return [arguments_delta(event, more)]
        case wire.PartEndEvent():
            return [{"type": "content_block_stop", "index": event.index}]
        case _:
            return []


def text_delta(event: Any, text: str) -> dict[str, Any]:
    return block_delta(event, {"type": "text_delta", "text": text})


def arguments_delta(event: Any, text: str) -> dict[str, Any]:
    return block_delta(event, {"type": "input_json_delta", "partial_json": text})


def block_start(event: wire.PartStartEvent, block: dict[str, Any]) -> dict[str, Any]:
    return {"type": "content_block_start", "index": event.index, "content_block": block}


def block_delta(event: Any, delta: dict[str, Any]) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": event.index, "delta": delta}


def to_pydantic_ai(messages: list[dict[str, Any]]) -> list[wire.ModelMessage]:
    """Converts messages of Anthropic's API."""
    names = {block["id"]: block["name"] for message in messages for block in message["content"] if "name" in block}
    converted: list[wire.ModelMessage] = []
    for message in messages:
        blocks = message["content"]
        if message["role"] == "assistant":
            converted.append(wire.ModelResponse([response_part(block) for block in blocks]))
        else:
            converted.append(wire.ModelRequest([request_part(block, names) for block in blocks]))
    return converted


def response_part(block: dict[str, Any]) -> Any:
    match block["type"]:
        case "thinking":
            return wire.ThinkingPart(block["thinking"], signature=block["signature"], provider_name="anthropic")
        case "tool_use":
            return wire.ToolCallPart(block["name"], block["input"], block["id"])
        case _:
            return wire.TextPart(block["text"])


def request_part(block: dict[str, Any], names: dict[str, str]) -> Any:
    if block["type"] == "tool_result":
        return wire.ToolReturnPart(names[block["tool_use_id"]], block["content"], block["tool_use_id"])
    return wire.UserPromptPart(block["text"])


def read(arguments: dict[str, str]) -> str:
    return Path(arguments["path"]).read_text()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
