"""The requirements of each provider for messages, written from its documentation and not from the projection."""

from __future__ import annotations

import json
import re
from typing import Any

Wire = list[dict[str, Any]]
_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def _is_json_for_the_wire(wire: Wire) -> None:
    json.dumps(wire, ensure_ascii=False, allow_nan=False).encode()


def check_anthropic(wire: Wire) -> None:
    _is_json_for_the_wire(wire)
    roles = [message["role"] for message in wire]
    assert roles == ["user" if index % 2 == 0 else "assistant" for index in range(len(roles))], "spec V1"
    assert not wire or roles[-1] == "user"
    seen: set[str] = set()
    for index, message in enumerate(wire):
        blocks = message["content"]
        assert blocks
        kinds = [block["type"] for block in blocks]
        for block in blocks:
            _check_anthropic_block(block)
        if message["role"] == "user":
            assert set(kinds) <= {"text", "image", "tool_result"}
            results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
            assert kinds[: len(results)] == ["tool_result"] * len(results), "spec V3"
            before = wire[index - 1]["content"] if index else []
            assert results == [block["id"] for block in before if block["type"] == "tool_use"], "spec V2, V4"
        else:
            assert set(kinds) <= {"text", "thinking", "redacted_thinking", "tool_use", "server_tool_use"} | {
                "web_search_tool_result"
            }
            assert kinds[-1] not in ("thinking", "redacted_thinking")
            for place, block in enumerate(blocks):
                if block["type"] == "server_tool_use":
                    assert blocks[place + 1]["tool_use_id"] == block["id"], "spec V5"
                if block["type"] == "web_search_tool_result":
                    assert blocks[place - 1]["id"] == block["tool_use_id"], "spec V5"
            new = [block["id"] for block in blocks if "id" in block]
            assert len({*new}) == len(new)
            assert not seen & {*new}
            seen |= {*new}


def check_anthropic_with_system(wire: Wire) -> None:
    """For models that accept system messages: each is right after a message of the user. All other rules apply, too."""
    rest: Wire = []
    for index, message in enumerate(wire):
        if message["role"] == "system":
            assert index > 0
            assert wire[index - 1]["role"] == "user"
            assert {block["type"] for block in message["content"]} == {"text"}
        elif rest and rest[-1]["role"] == "user" == message["role"]:
            assert wire[index - 1]["role"] == "system", "spec V1"
            rest[-1] = {"role": "user", "content": [*rest[-1]["content"], *message["content"]]}
        else:
            rest.append(message)
    check_anthropic(rest)


def _check_anthropic_block(block: dict[str, Any]) -> None:
    match block["type"]:
        case "text":
            assert block["text"].strip()
        case "tool_use" | "server_tool_use":
            assert isinstance(block["input"], dict)
            assert _ID.fullmatch(block["id"])
            assert _ID.fullmatch(block["name"])
        case "tool_result":
            assert block["content"]
            if isinstance(block["content"], list):
                for inner in block["content"]:
                    _check_anthropic_block(inner)
                if block.get("is_error"):
                    assert {inner["type"] for inner in block["content"]} == {"text"}
        case "thinking":
            assert block["signature"]


def check_chat(wire: Wire) -> None:
    _is_json_for_the_wire(wire)
    seen: set[str] = set()
    waiting: list[str] = []
    before = ""
    for message in wire:
        role = message["role"]
        if waiting:
            assert role == "tool", "spec V2, V3: nothing between calls and their results"
        if role == "tool":
            assert message["tool_call_id"] == waiting.pop(0), "spec V4"
            assert isinstance(message["content"], str)
            assert message["content"]
        else:
            assert role in ("user", "assistant", "system")
            assert role != before, "spec V1"
        if role == "assistant":
            calls = message.get("tool_calls", [])
            assert "tool_calls" not in message or calls
            assert calls or message["content"].strip()
            waiting = [call["id"] for call in calls]
            assert len({*waiting} - seen) == len(waiting)
            seen |= {*waiting}
            for call in calls:
                assert _ID.fullmatch(call["id"])
                assert _ID.fullmatch(call["function"]["name"])
                assert isinstance(json.loads(call["function"]["arguments"]), dict)
        elif role in ("user", "system"):
            assert message["content"]
            if not isinstance(message["content"], str):
                assert role == "user"
                assert {part["type"] for part in message["content"]} <= {"text", "image_url"}
        before = role
    assert not waiting, "spec V2"


def check_responses(wire: Wire) -> None:
    _is_json_for_the_wire(wire)
    calls: list[str] = []
    waiting: list[str] = []
    answered = False
    reasoned: set[str] = set()
    for index, item in enumerate(wire):
        match item["type"]:
            case "function_call":
                assert not answered or not waiting, "spec V4: outputs of one answer stand together"
                answered = False
                calls.append(item["call_id"])
                waiting.append(item["call_id"])
                assert _ID.fullmatch(item["call_id"])
                assert isinstance(json.loads(item["arguments"]), dict)
            case "function_call_output":
                assert item["call_id"] == waiting.pop(0), "spec V2, V4"
                assert item["output"]
                answered = True
            case "reasoning":
                assert item["id"] not in reasoned
                reasoned.add(item["id"])
                assert wire[index + 1]["type"] in ("reasoning", "function_call", "message")
                assert wire[index + 1].get("role", "assistant") == "assistant"
            case "message":
                if item["role"] != "assistant":
                    assert not waiting, "spec V3"
                assert item["content"]
                previous = wire[index - 1] if index else {"type": ""}
                assert (previous["type"], previous.get("role")) != ("message", item["role"]), "spec V1"
                text = "output_text" if item["role"] == "assistant" else "input_text"
                assert {part["type"] for part in item["content"]} <= {text, "input_image"}
            case other:
                raise AssertionError(other)
    assert not waiting, "spec V2"
    assert len({*calls}) == len(calls)


_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}")


def check_gemini(wire: Wire) -> None:
    """Google's rules: roles alternate and the user is last, and each function call is answered in the next content."""
    _is_json_for_the_wire(wire)
    roles = [content["role"] for content in wire]
    assert roles == ["user" if index % 2 == 0 else "model" for index in range(len(roles))], "spec V1"
    assert not wire or roles[-1] == "user"
    seen: set[str] = set()
    for index, content in enumerate(wire):
        parts = content["parts"]
        assert parts
        for part in parts:
            _check_gemini_part(part, content["role"])
        if content["role"] == "user":
            kinds = ["functionResponse" in part for part in parts]
            assert kinds == sorted(kinds, reverse=True), "spec V3"
            answered = [part["functionResponse"] for part in parts if "functionResponse" in part]
            before = wire[index - 1]["parts"] if index else []
            called = [part["functionCall"] for part in before if "functionCall" in part]
            assert [(item.get("id"), item["name"]) for item in answered] == [
                (item.get("id"), item["name"]) for item in called
            ]
        else:
            assert not parts[-1].get("thought")
            calls = [part for part in parts if "functionCall" in part]
            assert not calls or calls[0]["thoughtSignature"]
            new = [part["functionCall"]["id"] for part in calls if "id" in part["functionCall"]]
            assert len({*new} - seen) == len(new)
            seen |= {*new}


def _check_gemini_part(part: dict[str, Any], role: str) -> None:
    match sorted(set(part) - {"thought", "thoughtSignature"}):
        case ["text"]:
            assert part["text"].strip() or part.get("thought")
        case ["functionCall"]:
            call = part["functionCall"]
            assert role == "model"
            assert isinstance(call["args"], dict)
            assert _ID.fullmatch(call.get("id", "none"))
            assert _NAME.fullmatch(call["name"])
        case ["functionResponse"]:
            response = part["functionResponse"]["response"]
            assert role == "user"
            assert len({"output", "error"} & set(response)) == 1
            assert all(isinstance(value, str) and value.strip() for value in response.values())
        case ["inlineData"]:
            assert role == "user"
            assert part["inlineData"]["mimeType"] in ("image/png", "image/jpeg", "image/webp")
        case other:
            raise AssertionError(other)
    if role == "user":
        assert set(part) <= {"text", "functionResponse", "inlineData"}
