"""The particulars of Anthropic's wire: signatures, redacted thinking, server tools, and truncated blocks."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter

from tests.bridge.wire.decoded import Decoded, decode
from tests.bridge.wire.provider_answers import answer, arguments
from ttsr_ls.session.history.turn_output import RedactedThinking, ServerTool, Text, Thinking, ToolCall
from ttsr_ls.session.output.wire_events import Api

Event = dict[str, Any]
SIGNATURE = "EqQBCkYIBxgCKkAd+/==\u2028"


def message(*events: Event, reason: str | None = "end_turn") -> Decoded:
    ending = [{"type": "message_delta", "delta": {"stop_reason": reason}}, {"type": "message_stop"}]
    return decode(Api.ANTHROPIC, [{"type": "message_start", "message": {"model": "m-1"}}, *events, *ending])


def block(index: int, content: Event, *deltas: Event, closed: bool = True) -> list[Event]:
    events: list[Event] = [{"type": "content_block_start", "index": index, "content_block": content}]
    events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
    return [*events, {"type": "content_block_stop", "index": index}] if closed else events


def json_delta(text: str) -> Event:
    return {"type": "input_json_delta", "partial_json": text}


SEARCH = block(
    0, {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {}}, json_delta('{"query": "ttsr"}')
)
FOUND = [
    {
        "encrypted_content": "QUJD/+==",
        "page_age": None,
        "title": "T",
        "type": "web_search_result",
        "url": "https://a.example",
    }
]
RESULT = block(1, {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": FOUND})


def test_signatures_are_kept_unchanged() -> None:
    pieces = [{"type": "signature_delta", "signature": piece} for piece in (SIGNATURE[:5], SIGNATURE[5:])]
    thought = {"type": "thinking_delta", "thinking": "Hm."}
    decoded = message(*block(0, {"type": "thinking", "thinking": "", "signature": ""}, thought, *pieces))
    assert decoded.outputs == [Thinking("Hm.", SIGNATURE)]


def test_redacted_thinking_is_kept() -> None:
    assert message(*block(0, {"type": "redacted_thinking", "data": "c2VjcmV0"})).outputs == [
        RedactedThinking("c2VjcmV0")
    ]


def test_a_server_tool_and_its_result_are_one_output() -> None:
    decoded = message(*SEARCH, *RESULT)
    result = '"page_age":null,"title":"T","type":"web_search_result","url":"https://a.example"}]'
    result = '[{"encrypted_content":"QUJD/+==",' + result
    assert decoded.outputs == [ServerTool("srv_1", "web_search", '{"query": "ttsr"}', "web_search_tool_result", result)]
    assert decoded.texts == {("tool", "toolcall:srv_1"): '{"query":"ttsr"}'}


@pytest.mark.parametrize("events", [SEARCH, RESULT])
def test_a_server_tool_without_its_result_or_call_is_dropped(events: list[Event]) -> None:
    decoded = message(*events, reason="pause_turn")
    assert decoded.outputs == []
    assert decoded.reason == "pause_turn"


def test_arguments_may_come_with_the_start_of_a_block() -> None:
    call = {"type": "tool_use", "id": "t_1", "name": "write", "input": {"path": "a.ts", "content": "any"}}
    decoded = message(*block(0, call))
    assert decoded.outputs == [ToolCall("t_1", "write", '{"path":"a.ts","content":"any"}')]
    assert decoded.texts == {("tool", "toolcall:t_1"): "any"}


BROKEN = block(1, {"type": "tool_use", "id": "t_1", "name": "write", "input": {}}, json_delta('{"path": "a'))


def test_a_call_truncated_by_the_length_limit_is_incomplete() -> None:
    decoded = message(*BROKEN, reason="max_tokens")
    assert decoded.outputs == []
    assert decoded.truncated == [ToolCall("t_1", "write", '{"path": "a')]
    assert decoded.reason == "max_tokens"
    assert decoded.texts == {}


def test_a_call_with_invalid_arguments_is_complete() -> None:
    decoded = message(*BROKEN, *block(2, {"type": "text", "text": "So."}), reason="tool_use")
    assert decoded.outputs == [ToolCall("t_1", "write", '{"path": "a'), Text("So.")]
    assert decoded.truncated == []


def test_an_answer_without_a_stop_reason_is_incomplete() -> None:
    decoded = message(*block(0, {"type": "text", "text": "Half"}), *BROKEN[:-1], reason=None)
    assert decoded.reason is None
    assert decoded.outputs == [Text("Half")]
    assert decoded.truncated == [ToolCall("t_1", "write", '{"path": "a')]


def test_an_error_in_the_stream_ends_it() -> None:
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    decoded = message(*block(0, {"type": "text", "text": "Half"}, closed=False), error)
    assert decoded.failure == "The provider reported overloaded_error: Overloaded"
    assert decoded.truncated == [Text("Half")]
    assert decoded.reason is None


def test_a_stream_that_lost_only_its_last_event_is_complete() -> None:
    assert decode(Api.ANTHROPIC, answer(Api.ANTHROPIC, [Text("Done.")])[:-1]).reason == "end_turn"


def test_the_objects_of_the_sdk_are_read_like_plain_values() -> None:
    plain = [
        *answer(Api.ANTHROPIC, [Thinking("Hm.", SIGNATURE), ToolCall("t_1", "write", arguments(path="a"))])[:-2],
        *[event | {"index": event["index"] + 2} for event in (*SEARCH, *RESULT)],
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]
    from anthropic.types import RawMessageStreamEvent  # It takes a second, in each worker that collects this module.

    adapter: TypeAdapter[Any] = TypeAdapter(RawMessageStreamEvent)
    plain = [event if event["type"] == "ping" else full(event) for event in plain]
    objects = [event if event["type"] == "ping" else adapter.validate_python(event) for event in plain]
    assert decode(Api.ANTHROPIC, objects) == decode(Api.ANTHROPIC, plain)
    assert len(decode(Api.ANTHROPIC, objects).outputs) == 3


def full(event: Event) -> Event:
    """An event with the fields that the SDK's types require."""
    if event["type"] == "message_start":
        empty = {"type": "message", "role": "assistant", "stop_reason": None, "stop_sequence": None}
        return event | {"message": event["message"] | empty | {"usage": {"input_tokens": 1, "output_tokens": 1}}}
    return event
