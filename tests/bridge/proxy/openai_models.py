"""Scripted models that speak OpenAI's APIs and Gemini's, and refuse what those would refuse. With a client for each."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from tests.bridge.proxy.anthropic_model import Block, RequestRefused

_PIECE = re.compile(r"\s*\S{1,5}|\s+")


def demand(holds: bool, problem: str) -> None:
    if not holds:
        raise RequestRefused(problem)


def data_sse(events: Sequence[dict[str, Any]]) -> bytes:
    """Chunks without names, and the end that Chat Completions has."""
    return b"".join(f"data: {json.dumps(each)}\n\n".encode() for each in events) + b"data: [DONE]\n\n"


def gemini_sse(events: Sequence[dict[str, Any]]) -> bytes:
    return b"".join(f"data: {json.dumps(each)}\r\n\r\n".encode() for each in events)


class _Scripted:
    def __init__(self, answers: Sequence[Sequence[Block]]) -> None:
        self.answers = answers
        self.requests: list[dict[str, Any]] = []

    def take(self, body: dict[str, Any]) -> tuple[int, Sequence[Block]]:
        self.requests.append(body)
        return len(self.requests) - 1, self.answers[len(self.requests) - 1]


class ResponsesModel(_Scripted):
    """The Responses API. A `tool_use` is a function call; thinking is reasoning, sealed for its prefix."""

    def answer(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        self.check(body)
        number, blocks = self.take(body)
        events = list(self._events(number, blocks, body))
        return [{**event, "sequence_number": at} for at, event in enumerate(events)]

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
                pieces = _PIECE.findall(block["text"])
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
            case _:
                call = {"type": "function_call", "id": f"fc_{key}", "call_id": f"call_{key}", "name": block["name"]}
                arguments = json.dumps(block["input"])
                events = [{"type": "response.output_item.added", "item": {**call, "arguments": ""}}]
                delta = {"type": "response.function_call_arguments.delta", "item_id": call["id"]}
                events += [{**delta, "delta": piece} for piece in _PIECE.findall(arguments)]
                done = {"type": "response.function_call_arguments.done", "item_id": call["id"]}
                return [*events, {**done, "arguments": arguments}], {**call, "arguments": arguments}

    @staticmethod
    def check(body: dict[str, Any]) -> None:
        """Raises RequestRefused where the real API refuses the request."""
        items = [{"type": "message", **item} for item in body["input"]]
        calls = [each["call_id"] for each in items if each["type"].endswith("_call") and "call_id" in each]
        results = [each["call_id"] for each in items if each["type"].endswith("_call_output")]
        demand(sorted(calls) == sorted(results), f"calls {calls} and results {results} are not paired")
        for number, item in enumerate(items):
            if item["type"] == "reasoning" and item.get("encrypted_content"):
                demand(item["encrypted_content"] == _seal(items[:number]), f"reasoning {number} is sealed for another")
                follows = items[number + 1 : number + 2]
                demand(bool(follows) and follows[0].get("role") not in ("user", "developer"), "reasoning stands alone")


def _seal(before: Sequence[Any]) -> str:
    """What the items before say, as far as clients send all of it back."""
    said = [[_kind(each), each.get("call_id"), _said(each), str(each.get("output"))] for each in before]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def _kind(item: dict[str, Any]) -> str:
    return f"{item.get('type', 'message')} {item.get('role', '')}"


def _said(item: dict[str, Any]) -> str:
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
                        assert _said(event["item"]) == text_of[index]
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


class ChatModel(_Scripted):
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
                    chunks += [chunk({"content": piece}) for piece in _PIECE.findall(block["text"])]
                case "thinking":
                    chunks.append(chunk({"reasoning_content": block["thinking"]}))
                case _:
                    function = {"name": block["name"], "arguments": ""}
                    call = {"index": calls, "id": f"call_{number}_{calls}", "type": "function", "function": function}
                    chunks.append(chunk({"tool_calls": [call]}))
                    for piece in _PIECE.findall(json.dumps(block["input"])):
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
                for each in choice["delta"].get("tool_calls", ()):
                    call = calls.setdefault(each["index"], {**each, "function": {**each["function"], "arguments": ""}})
                    call["function"]["arguments"] += each["function"].get("arguments", "")
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


class GeminiModel(_Scripted):
    """The Gemini API."""

    def answer(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        self.check(body)
        number, blocks = self.take(body)
        found: list[dict[str, Any]] = []
        for block in blocks:
            match block["type"]:
                case "text":
                    found += [{"text": piece} for piece in _PIECE.findall(block["text"])]
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
