"""A client of the Messages API that refuses a stream which a strict client would refuse, and keeps a conversation."""

from __future__ import annotations

import json
from typing import Any

from tests.bridge.proxy.anthropic_model import Block

TOOLS = [{"name": "Write", "input_schema": {"type": "object"}}]


def read_events(data: bytes) -> list[dict[str, Any]]:
    """The events of a stream; its names and types agree."""
    events = []
    for frame in data.decode().split("\n\n"):
        lines = [line for line in frame.splitlines() if line and not line.startswith(":")]
        if not lines:
            continue
        name, body = lines
        event = json.loads(body.removeprefix("data: "))
        assert name == f"event: {event['type']}", frame
        events.append(event)
    return events


def read_message(data: bytes) -> dict[str, Any]:
    """The message of a whole stream. Asserts that each event is valid where it stands."""
    events = [event for event in read_events(data) if event["type"] != "ping"]
    assert events[0]["type"] == "message_start", events[:1]
    assert [event["type"] for event in events[-2:]] == ["message_delta", "message_stop"], events[-2:]
    message: dict[str, Any] = events[0]["message"]
    open_index = None
    content: list[Block] = []
    arguments = ""
    for event in events[1:-2]:
        match event["type"]:
            case "content_block_start":
                assert open_index is None, f"block {open_index} is open"
                assert event["index"] == len(content), f"index {event['index']} at {len(content)}"
                open_index, arguments = event["index"], ""
                content.append(dict(event["content_block"]))
            case "content_block_delta":
                assert event["index"] == open_index
                block, delta = content[-1], event["delta"]
                match delta["type"]:
                    case "text_delta":
                        block["text"] += delta["text"]
                    case "thinking_delta":
                        block["thinking"] += delta["thinking"]
                    case "signature_delta":
                        block["signature"] += delta["signature"]
                    case "input_json_delta":
                        arguments += delta["partial_json"]
                        block["input"] = json.loads(arguments) if _is_json(arguments) else {}
            case "content_block_stop":
                assert event["index"] == open_index
                open_index = None
            case unexpected:
                raise AssertionError(unexpected)
    assert open_index is None
    delta = events[-2]["delta"]
    has_calls = any(block["type"] == "tool_use" for block in content)
    assert delta["stop_reason"] == ("tool_use" if has_calls else "end_turn")
    return {**message, "content": content, "stop_reason": delta["stop_reason"], "usage": events[-2]["usage"]}


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


class AnthropicClient:
    """Keeps the conversation as an agent does, and moves its cache breakpoint to the last block of the user."""

    def __init__(self, prompt: str = "Write a.py", model: str = "claude-sonnet-4-5") -> None:
        self.model = model
        self.messages: list[dict[str, Any]] = []
        self.files: dict[str, str] = {}
        self.say(prompt)

    def say(self, prompt: str) -> None:
        self.messages.append({"role": "user", "content": [{"type": "text", "text": prompt}]})

    def request(self, **more: Any) -> bytes:
        messages = json.loads(json.dumps(self.messages))
        messages[-1]["content"][-1]["cache_control"] = {"type": "ephemeral"}
        body = {"model": self.model, "max_tokens": 100, "system": "Be brief.", "tools": TOOLS, "stream": True}
        return json.dumps({**body, **more, "messages": messages}).encode()

    def take(self, message: dict[str, Any]) -> bool:
        """Keeps an answer and runs its calls; False where it has none."""
        if message["content"]:
            self.messages.append({"role": "assistant", "content": message["content"]})
        calls = [block for block in message["content"] if block["type"] == "tool_use"]
        for block in calls:
            self.files[block["input"]["file_path"]] = block["input"]["content"]
        if calls:
            results = [{"type": "tool_result", "tool_use_id": block["id"], "content": "ok"} for block in calls]
            self.messages.append({"role": "user", "content": results})
        return bool(calls)
