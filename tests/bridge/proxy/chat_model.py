"""Scripted models that speak Chat Completions and the Gemini API and refuse what those would refuse, and clients."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from tests.bridge.proxy.scripted_model import PIECE, ScriptedModel, demand


def data_sse(events: Sequence[dict[str, Any]]) -> bytes:
    """Chunks without names, and the end that Chat Completions has."""
    return b"".join(f"data: {json.dumps(event)}\n\n".encode() for event in events) + b"data: [DONE]\n\n"


def gemini_sse(events: Sequence[dict[str, Any]]) -> bytes:
    return b"".join(f"data: {json.dumps(event)}\r\n\r\n".encode() for event in events)


class ChatModel(ScriptedModel):
    """The Chat Completions API."""

    def answer(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        self.check(body)
        number, blocks = self.take(body)
        head = {"id": f"chat_{number}", "object": "chat.completion.chunk", "created": number, "model": "m"}

        def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
            return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}

        chunks = [chunk({"role": "assistant", "content": ""})]
        calls = 0
        for block in blocks:
            match block["type"]:
                case "text":
                    chunks += [chunk({"content": piece}) for piece in PIECE.findall(block["text"])]
                case "thinking":
                    chunks.append(chunk({"reasoning_content": block["thinking"]}))
                case _:
                    function = {"name": block["name"], "arguments": ""}
                    call = {"index": calls, "id": f"call_{number}_{calls}", "type": "function", "function": function}
                    chunks.append(chunk({"tool_calls": [call]}))
                    for piece in PIECE.findall(json.dumps(block["input"])):
                        chunks.append(chunk({"tool_calls": [{"index": calls, "function": {"arguments": piece}}]}))
                    calls += 1
        chunks.append(chunk({}, "tool_calls" if calls else "stop"))
        usage = {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}
        return [*chunks, {**head, "choices": [], "usage": usage}]

    def message(self, body: dict[str, Any]) -> dict[str, Any]:
        raise AssertionError(body)

    @staticmethod
    def check(body: dict[str, Any]) -> None:
        """Raises RequestRefused where the real API refuses the request."""
        waiting: list[str] = []
        for number, message in enumerate(body["messages"]):
            role = message["role"]
            demand(role in ("system", "developer", "user", "assistant", "tool"), f"role {role}")
            if role == "tool":
                demand(message["tool_call_id"] in waiting, f"message {number} answers no call")
                waiting.remove(message["tool_call_id"])
                continue
            demand(not waiting, f"calls {waiting} have no results before message {number}")
            calls = message.get("tool_calls") or []
            demand(bool(message.get("content") or calls), f"message {number} is empty")
            demand("tool_calls" not in message or bool(calls), f"message {number} has no calls")
            waiting = [call["id"] for call in calls]
        demand(body["messages"][-1]["role"] in ("user", "tool", "system", "developer"), "nothing to answer")


class ChatClient:
    """Keeps messages as opencode does."""

    def __init__(self, prompt: str = "Write a.py") -> None:
        self.messages: list[dict[str, Any]] = [{"role": "system", "content": "Be brief."}]
        self.files: dict[str, str] = {}
        self.say(prompt)

    def say(self, prompt: str) -> None:
        self.messages.append({"role": "user", "content": prompt})

    def request(self, **more: Any) -> bytes:
        tools = [{"type": "function", "function": {"name": "Write"}}]
        return json.dumps({"model": "m", "tools": tools, "stream": True, **more, "messages": self.messages}).encode()

    def take(self, data: bytes) -> bool:
        """Keeps an answer and runs its calls; False where it has none. Asserts that the stream is consistent."""
        frames = [frame.removeprefix("data: ") for frame in data.decode().split("\n\n") if frame]
        assert frames[-1] == "[DONE]"
        chunks = [json.loads(frame) for frame in frames[:-1]]
        assert len({(chunk["id"], chunk["created"]) for chunk in chunks}) == 1
        content, calls, reasons = "", dict[int, dict[str, Any]](), list[str]()
        for chunk in chunks:
            for choice in chunk["choices"]:
                assert not reasons
                content += choice["delta"].get("content") or ""
                for item in choice["delta"].get("tool_calls", ()):
                    call = calls.setdefault(item["index"], {**item, "function": {**item["function"], "arguments": ""}})
                    call["function"]["arguments"] += item["function"].get("arguments", "")
                if choice["finish_reason"]:
                    reasons.append(choice["finish_reason"])
        assert reasons == ["tool_calls" if calls else "stop"]
        assert sum("role" in choice["delta"] for chunk in chunks for choice in chunk["choices"]) == 1
        kept = [{key: call[key] for key in ("id", "type", "function")} for call in calls.values()]
        message: dict[str, Any] = {"role": "assistant", "content": content or None}
        self.messages.append({**message, "tool_calls": kept} if kept else message)
        for call in kept:
            arguments = json.loads(call["function"]["arguments"])
            self.files[arguments["file_path"]] = arguments["content"]
            self.messages.append({"role": "tool", "tool_call_id": call["id"], "content": "ok"})
        return bool(kept)


class GeminiModel(ScriptedModel):
    """The Gemini API."""

    def answer(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        self.check(body)
        number, blocks = self.take(body)
        found: list[dict[str, Any]] = []
        for block in blocks:
            match block["type"]:
                case "text":
                    found += [{"text": piece} for piece in PIECE.findall(block["text"])]
                case "thinking":
                    found.append({"text": block["thinking"], "thought": True})
                case _:
                    found.append({"functionCall": {"name": block["name"], "args": block["input"]}})
        chunks = [{"candidates": [{"index": 0, "content": {"role": "model", "parts": [part]}}]} for part in found]
        chunks[-1]["candidates"][0]["finishReason"] = "STOP"
        return [{**chunk, "responseId": f"r{number}", "usageMetadata": {"promptTokenCount": 1}} for chunk in chunks]

    def message(self, body: dict[str, Any]) -> dict[str, Any]:
        raise AssertionError(body)

    @staticmethod
    def check(body: dict[str, Any]) -> None:
        """Raises RequestRefused where the real API refuses the request."""
        contents = body["contents"]
        demand(contents[0]["role"] == "user" and contents[-1]["role"] == "user", "it begins or ends with the model's")
        for number, content in enumerate(contents):
            demand(bool(content["parts"]), f"content {number} is empty")
            calls = [part for part in content["parts"] if "functionCall" in part]
            if calls:
                results = [part for part in contents[number + 1]["parts"] if "functionResponse" in part]
                demand(len(results) == len(calls), f"the calls of content {number} have no results")


class GeminiClient:
    """Keeps contents as Gemini CLI does: texts that follow each other are one part."""

    def __init__(self, prompt: str = "Write a.py") -> None:
        self.contents: list[dict[str, Any]] = []
        self.files: dict[str, str] = {}
        self.say(prompt)

    def say(self, prompt: str) -> None:
        self.contents.append({"role": "user", "parts": [{"text": prompt}]})

    def request(self, **more: Any) -> bytes:
        tools = [{"functionDeclarations": [{"name": "Write"}]}]
        return json.dumps({"tools": tools, **more, "contents": self.contents}).encode()

    def take(self, data: bytes) -> bool:
        """Keeps an answer and runs its calls; False where it has none. Asserts that the stream is consistent."""
        assert b"\n:" not in data
        frames = [frame for frame in re.split(r"\r?\n\r?\n", data.decode()) if frame]
        chunks = [json.loads(frame.removeprefix("data: ")) for frame in frames]
        assert len({chunk["responseId"] for chunk in chunks}) == 1
        reasons = [chunk["candidates"][0].get("finishReason") for chunk in chunks]
        assert [reason for reason in reasons if reason] == ["STOP"]
        kept: list[dict[str, Any]] = []
        for chunk in chunks:
            for part in chunk["candidates"][0]["content"]["parts"]:
                if part.get("thought"):
                    continue
                if kept and "text" in part and "text" in kept[-1]:
                    kept[-1]["text"] += part["text"]
                else:
                    kept.append(dict(part))
        self.contents.append({"role": "model", "parts": kept})
        calls = [part["functionCall"] for part in kept if "functionCall" in part]
        for call in calls:
            self.files[call["args"]["file_path"]] = call["args"]["content"]
        if calls:
            results = [{"functionResponse": {"name": call["name"], "response": {"output": "ok"}}} for call in calls]
            self.contents.append({"role": "user", "parts": results})
        return bool(calls)
