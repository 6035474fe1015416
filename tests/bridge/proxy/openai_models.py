"""A scripted model that speaks the Responses API and refuses what that would refuse, and a client."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

from tests.bridge.proxy.anthropic_model import Block
from tests.bridge.proxy.scripted_model import PIECE, ScriptedModel, demand


class ResponsesModel(ScriptedModel):
    """The Responses API. Thinking is reasoning, sealed for its prefix.

    A `tool_use` is a function call; with a text as its input, it is a custom call.
    """

    def answer(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        self.check(body)
        number, blocks = self.take(body)
        events = list(self._events(number, blocks, body))
        return [{**event, "sequence_number": position} for position, event in enumerate(events)]

    def message(self, body: dict[str, Any]) -> dict[str, Any]:
        return self.answer(body)[-1]["response"]

    def _events(self, number: int, blocks: Sequence[Block], body: dict[str, Any]) -> Iterator[dict[str, Any]]:
        head = {"id": f"resp_{number}", "object": "response", "model": "m", "status": "in_progress", "output": []}
        yield {"type": "response.created", "response": head}
        yield {"type": "response.in_progress", "response": head}
        items: list[dict[str, Any]] = []
        for index, block in enumerate(blocks):
            events, item = self._item(number, index, block, [*body["input"], *items])
            yield from ({**event, "output_index": index} for event in events)
            yield {"type": "response.output_item.done", "output_index": index, "item": item}
            items.append(item)
        usage = {"input_tokens": 5, "output_tokens": 9, "total_tokens": 14}
        done = {**head, "status": "completed", "output": items, "usage": usage}
        yield {"type": "response.completed", "response": done}

    def _item(
        self, number: int, index: int, block: Block, before: list[Any]
    ) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        key = f"{number}_{index}"
        events: list[dict[str, Any]]
        match block["type"]:
            case "text":
                item: dict[str, Any] = {"type": "message", "id": f"msg_{key}", "role": "assistant"}
                item["status"] = "in_progress"
                where = {"item_id": item["id"], "content_index": 0}
                part = {"type": "output_text", "text": block["text"], "annotations": []}
                events = [{"type": "response.output_item.added", "item": {**item, "content": []}}]
                events += [{"type": "response.content_part.added", **where, "part": {**part, "text": ""}}]
                pieces = PIECE.findall(block["text"])
                events += [{"type": "response.output_text.delta", **where, "delta": piece} for piece in pieces]
                events += [{"type": "response.output_text.done", **where, "text": block["text"]}]
                events += [{"type": "response.content_part.done", **where, "part": part}]
                return events, {**item, "status": "completed", "content": [part]}
            case "thinking":
                item = {"type": "reasoning", "id": f"rs_{key}", "summary": []}
                summary = {"type": "summary_text", "text": block["thinking"]}
                events = [{"type": "response.output_item.added", "item": item}]
                delta = {"type": "response.reasoning_summary_text.delta", "delta": block["thinking"]}
                events += [{**delta, "item_id": item["id"], "summary_index": 0}]
                sealed = _seal(before)
                return events, {**item, "summary": [summary], "encrypted_content": sealed}
            case _ if isinstance(block["input"], str):
                call = {"type": "custom_tool_call", "id": f"ctc_{key}", "call_id": f"call_{key}", "name": block["name"]}
                events = [{"type": "response.output_item.added", "item": {**call, "input": ""}}]
                delta = {"type": "response.custom_tool_call_input.delta", "item_id": call["id"]}
                events += [{**delta, "delta": piece} for piece in PIECE.findall(block["input"])]
                done = {"type": "response.custom_tool_call_input.done", "item_id": call["id"]}
                return [*events, {**done, "input": block["input"]}], {**call, "input": block["input"]}
            case _:
                call = {"type": "function_call", "id": f"fc_{key}", "call_id": f"call_{key}", "name": block["name"]}
                arguments = json.dumps(block["input"])
                events = [{"type": "response.output_item.added", "item": {**call, "arguments": ""}}]
                delta = {"type": "response.function_call_arguments.delta", "item_id": call["id"]}
                events += [{**delta, "delta": piece} for piece in PIECE.findall(arguments)]
                done = {"type": "response.function_call_arguments.done", "item_id": call["id"]}
                return [*events, {**done, "arguments": arguments}], {**call, "arguments": arguments}

    @staticmethod
    def check(body: dict[str, Any]) -> None:
        """Raises RequestRefused where the real API refuses the request."""
        items = [{"type": "message", **item} for item in body["input"]]
        calls = [item["call_id"] for item in items if item["type"].endswith("_call") and "call_id" in item]
        results = [item["call_id"] for item in items if item["type"].endswith("_call_output")]
        demand(sorted(calls) == sorted(results), f"calls {calls} and results {results} are not paired")
        for number, item in enumerate(items):
            if item["type"] == "reasoning" and item.get("encrypted_content"):
                demand(item["encrypted_content"] == _seal(items[:number]), f"reasoning {number} is sealed for another")
                follows = items[number + 1 : number + 2]
                demand(bool(follows) and follows[0].get("role") not in ("user", "developer"), "reasoning stands alone")


def _seal(before: Sequence[Any]) -> str:
    """Digests the items before, without fields that clients drop."""
    content = [[_kind(item), item.get("call_id"), _text_of(item), str(item.get("output"))] for item in before]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def _kind(item: dict[str, Any]) -> str:
    return f"{item.get('type', 'message')} {item.get('role', '')}"


def _text_of(item: dict[str, Any]) -> str:
    content = item.get("content")
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content if isinstance(content, str) else ""


class ResponsesClient:
    """Keeps items as Codex does: without ids and states."""

    def __init__(self, prompt: str = "Write a.py") -> None:
        self.items: list[dict[str, Any]] = []
        self.files: dict[str, str] = {}
        self.say(prompt)

    def say(self, prompt: str) -> None:
        content = [{"type": "input_text", "text": prompt}]
        self.items.append({"type": "message", "role": "user", "content": content})

    def request(self, **more: Any) -> bytes:
        tools = [{"type": "function", "name": "Write"}]
        return json.dumps(
            {"model": "m", "tools": tools, "stream": True, "store": False, **more, "input": self.items}
        ).encode()

    def take(self, data: bytes) -> bool:
        """Keeps an answer and runs its calls; False where it has none. Asserts that the stream is consistent."""
        events = []
        for frame in data.decode().split("\n\n"):
            lines = [line for line in frame.splitlines() if line and not line.startswith(":")]
            if lines:
                event = json.loads(lines[1].removeprefix("data: "))
                assert lines[0] == f"event: {event['type']}"
                events.append(event)
        numbers = [event["sequence_number"] for event in events]
        assert numbers == list(range(len(numbers))), numbers
        kinds = [event["type"] for event in events]
        assert kinds.count("response.created") == 1
        assert kinds[-1] == "response.completed"
        items: list[Any] = []
        text_of: dict[int, str] = {}
        opened: set[int] = set()
        for event in events[:-1]:
            index = event.get("output_index")
            match event["type"]:
                case "response.output_item.added":
                    assert (index, opened) == (len(items), set())
                    opened.add(index)
                case "response.output_text.delta":
                    text_of[index] = text_of.get(index, "") + event["delta"]
                case "response.output_text.done":
                    assert event["text"] == text_of[index]
                case "response.output_item.done":
                    opened.remove(index)
                    items.append(event["item"])
                    if index in text_of:
                        assert _text_of(event["item"]) == text_of[index]
                case _:
                    assert index is None or index in opened
        assert not opened
        final = events[-1]["response"]
        assert (final["id"], final["output"]) == (events[0]["response"]["id"], items)
        self.items += [{key: item[key] for key in item if key not in ("id", "status")} for item in items]
        calls = [item for item in items if item["type"] == "function_call"]
        for call in calls:
            arguments = json.loads(call["arguments"])
            self.files[arguments["file_path"]] = arguments["content"]
            self.items.append({"type": "function_call_output", "call_id": call["call_id"], "output": "ok"})
        return bool(calls)
