"""An answer that comes as one JSON object: the events that a stream of it would have, and its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from ttsr_ls.bridge.proxy.ledger.identity import call_identity, text_identity
from ttsr_ls.bridge.proxy.streams.anthropic_stream import block_identity
from ttsr_ls.bridge.proxy.streams.chat_stream import chat_text
from ttsr_ls.bridge.proxy.streams.gemini_stream import part_identity
from ttsr_ls.bridge.proxy.streams.responses_stream import item_identity
from ttsr_ls.bridge.proxy.streams.stream_editor import SentPart
from ttsr_ls.bridge.wire.fields import get_field, get_list, get_text


class NonStreamingAnswer(Struct, frozen=True):
    """Reads the whole answers of one wire."""

    events: Callable[[dict[str, Any]], Iterator[dict[str, Any]]]
    parts: Callable[[dict[str, Any]], list[SentPart]]


def anthropic_events(answer: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Converts a message to the events that a stream of it would have, each block whole."""
    yield {"type": "message_start", "message": {**answer, "content": []}}
    for index, block in enumerate(get_list(answer, "content")):
        yield {"type": "content_block_start", "index": index, "content_block": block}
        yield {"type": "content_block_stop", "index": index}
    delta = {"stop_reason": get_field(answer, "stop_reason")}
    yield {"type": "message_delta", "delta": delta, "usage": get_field(answer, "usage")}
    yield {"type": "message_stop"}


def anthropic_parts(answer: dict[str, Any]) -> list[SentPart]:
    """The blocks of a message."""
    found = ((block, block_identity(block)) for block in get_list(answer, "content"))
    return [SentPart(identity, block) for block, identity in found if identity is not None]


def responses_events(answer: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Converts a response to the events that a stream of it would have, each item whole."""
    yield {"type": "response.created", "response": {**answer, "output": []}}
    for index, item in enumerate(get_list(answer, "output")):
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    yield {"type": "response.completed", "response": answer}


def responses_parts(answer: dict[str, Any]) -> list[SentPart]:
    """The items of a response."""
    found = ((item, item_identity(item)) for item in get_list(answer, "output"))
    return [SentPart(identity, item) for item, identity in found if identity is not None]


def chat_events(answer: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Converts a completion to a single chunk with all of its content."""
    choices = []
    for choice in get_list(answer, "choices"):
        message = get_field(choice, "message")
        calls = [{**call, "index": index} for index, call in enumerate(get_list(message, "tool_calls"))]
        delta = {**message, "tool_calls": calls} if isinstance(message, dict) else {}
        choices.append({**choice, "delta": delta})
    yield {**answer, "choices": choices}


def chat_parts(answer: dict[str, Any]) -> list[SentPart]:
    """The text and the calls of a completion."""
    choice = next(iter(get_list(answer, "choices")), None)
    message = get_field(choice, "message")
    text = chat_text(message)
    parts = [SentPart(text_identity(text), text)] if text else []
    return [*parts, *(SentPart(call_identity(get_text(call, "id")), call) for call in get_list(message, "tool_calls"))]


def gemini_events(answer: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields the answer itself: a stream has chunks of the same format."""
    yield answer


def gemini_parts(answer: dict[str, Any]) -> list[SentPart]:
    """The parts of a complete answer of Gemini's API, without the thoughts."""
    candidate = next(iter(get_list(answer, "candidates")), None)
    found = get_list(get_field(candidate, "content"), "parts")
    return [SentPart(part_identity(part), part) for part in found if get_field(part, "thought") is not True]
