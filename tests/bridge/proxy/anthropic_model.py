"""A scripted model that speaks the Messages API and refuses what the real one would.

It checks roles, the pairing of calls and results, cache breakpoints, and that every signature of thinking comes back
behind exactly the conversation that it was made for.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

Block = dict[str, Any]
_PIECE = re.compile(r"\s*\S{1,5}|\s+")


class RequestRefused(AssertionError):
    """The real API would answer with status 400."""


def text(content: str) -> Block:
    return {"type": "text", "text": content}


def thinking(content: str) -> Block:
    return {"type": "thinking", "thinking": content}


def call(name: str, **arguments: Any) -> Block:
    return {"type": "tool_use", "name": name, "input": arguments}


def write(content: str, path: str = "/home/dev/shop/a.py") -> Block:
    return call("Write", file_path=path, content=content)


@dataclass
class AnthropicModel:
    """Answers the n-th request with the n-th answer. A number in place of an answer is a status that refuses it."""

    answers: Sequence[Sequence[Block]]
    requests: list[dict[str, Any]] = field(default_factory=list)

    def answer(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        """The events of the next answer. Raises RequestRefused."""
        number = len(self.requests)
        self.requests.append(body)
        check_request(body)
        return list(self._events(number, body))

    def message(self, body: dict[str, Any]) -> dict[str, Any]:
        """The next answer as one object."""
        number = len(self.requests)
        self.requests.append(body)
        check_request(body)
        blocks = self._blocks(number, body)
        return self._head(number, body) | {
            "content": blocks,
            "stop_reason": _reason(blocks),
            "usage": {"input_tokens": 25, "output_tokens": 9},
        }

    def _blocks(self, number: int, body: dict[str, Any]) -> list[Block]:
        blocks: list[Block] = []
        for index, block in enumerate(self.answers[number]):
            match block["type"]:
                case "tool_use":
                    blocks.append({"id": f"toolu_{number:02}{index:02}", **block})
                case "thinking":
                    signed = sign(body, [*blocks, block])
                    blocks.append({**block, "signature": signed})
                case _:
                    blocks.append(block)
        return blocks

    def _head(self, number: int, body: dict[str, Any]) -> dict[str, Any]:
        return {
            "id": f"msg_{number:04}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 25, "output_tokens": 1},
        }

    def _events(self, number: int, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
        yield {"type": "message_start", "message": self._head(number, body)}
        blocks = self._blocks(number, body)
        for index, block in enumerate(blocks):
            start, deltas = _streamed(block)
            yield {"type": "content_block_start", "index": index, "content_block": start}
            if index == 0:
                yield {"type": "ping"}
            for delta in deltas:
                yield {"type": "content_block_delta", "index": index, "delta": delta}
            yield {"type": "content_block_stop", "index": index}
        delta = {"stop_reason": _reason(blocks), "stop_sequence": None}
        yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 9}}
        yield {"type": "message_stop"}


def sse(events: Sequence[dict[str, Any]]) -> bytes:
    """The events as the API sends them."""
    return b"".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events)


def _reason(blocks: Sequence[Block]) -> str:
    return "tool_use" if any(block["type"] == "tool_use" for block in blocks) else "end_turn"


def _streamed(block: Block) -> tuple[Block, list[Block]]:
    match block["type"]:
        case "text":
            return text(""), [{"type": "text_delta", "text": piece} for piece in _PIECE.findall(block["text"])]
        case "thinking":
            deltas = [{"type": "thinking_delta", "thinking": piece} for piece in _PIECE.findall(block["thinking"])]
            signed = {"type": "signature_delta", "signature": block["signature"]}
            return {"type": "thinking", "thinking": "", "signature": ""}, [*deltas, signed]
        case _:
            pieces = ["", *_PIECE.findall(json.dumps(block["input"]))]
            return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]


def sign(body: dict[str, Any], before: Sequence[Block]) -> str:
    """The signature of the last of the blocks `before`: bound to the whole conversation, as the API binds it."""
    bound = bound_to(body)
    for message in normal_messages(body):
        bound.update(canonical(message))
    return signature(bound, before)


def bound_to(body: dict[str, Any]) -> Hash:
    """The digest of what comes before all messages; it is updated with the `canonical` form of each."""
    return hashlib.sha256(canonical([body.get("system"), body.get("tools")]))


def signature(bound: Hash, before: Sequence[Block]) -> str:
    digest = bound.copy()
    digest.update(canonical(list(before)))
    return digest.hexdigest()


def canonical(value: Any) -> bytes:
    return json.dumps(plain(value), sort_keys=True).encode() + b"\n"


def normal_messages(body: dict[str, Any]) -> list[tuple[str, list[Block]]]:
    """The messages as the model reads them: consecutive ones of one role are one."""
    merged: list[tuple[str, list[Block]]] = []
    for message in body["messages"]:
        content = message["content"]
        blocks = [text(content)] if isinstance(content, str) else content
        if merged and merged[-1][0] == message["role"]:
            merged[-1][1].extend(blocks)
        else:
            merged.append((message["role"], list(blocks)))
    return merged


def plain(value: Any) -> Any:
    """A value without breakpoints and signatures, which move or stand for themselves."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items() if key not in ("cache_control", "signature")}
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value


def check_request(body: dict[str, Any]) -> None:
    """Raises RequestRefused where the real API refuses the request."""
    messages = normal_messages(body)
    _demand(bool(messages) and messages[0][0] == "user", "the first message is not the user's")
    _demand(messages[-1][0] != "assistant", "the last message is the assistant's: a prefill")
    breakpoints = json.dumps(body).count('"cache_control"')
    _demand(breakpoints <= 4, f"{breakpoints} cache breakpoints")
    bound = bound_to(body)
    for number, (role, blocks) in enumerate(messages):
        _demand(role in ("user", "assistant", "system"), f"role {role}")
        _demand(bool(blocks), f"message {number} is empty")
        for block in blocks:
            is_blank = block["type"] == "text" and not block["text"].strip()
            _demand(not is_blank, f"message {number} has a blank text")
        if role == "system":
            _demand(number > 0 and messages[number - 1][0] == "user", "a system message is not behind one of the user")
        if role == "assistant":
            _check_assistant(bound, messages, number)
        elif role == "user":
            _check_results(messages, number)
        bound.update(canonical((role, blocks)))


def _check_assistant(bound: Hash, messages: list[tuple[str, list[Block]]], number: int) -> None:
    """`bound` is the digest of what comes before the answer."""
    blocks = messages[number][1]
    _demand(blocks[-1]["type"] != "thinking", "an answer ends with thinking")
    calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
    following = next((message for role, message in messages[number + 1 :] if role == "user"), [])
    results = [block["tool_use_id"] for block in following if block["type"] == "tool_result"]
    _demand(sorted(calls) == sorted(results), f"calls {calls} and results {results} are not paired")
    for place, block in enumerate(blocks):
        if block["type"] == "thinking":
            signed = signature(bound, blocks[: place + 1])
            _demand(block["signature"] == signed, f"message {number}: the signature is not valid for its prefix")


def _check_results(messages: list[tuple[str, list[Block]]], number: int) -> None:
    kinds = [block["type"] for block in messages[number][1]]
    results = [place for place, kind in enumerate(kinds) if kind == "tool_result"]
    _demand(results == list(range(len(results))), f"message {number}: results of tools do not come first")
    if results:
        _demand(number > 0, "results of no call")


def _demand(holds: bool, problem: str) -> None:
    if not holds:
        raise RequestRefused(problem)
