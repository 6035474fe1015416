"""The particulars of Google's wire: whole calls, thought signatures, failures, and SDK objects."""

from __future__ import annotations

from enum import StrEnum
from types import SimpleNamespace
from typing import Any

import pytest

from tests.bridge.wire.decoded import Decoded, decode
from tests.bridge.wire.provider_answers import Event, arguments, gemini_chunk
from ttsr_ls.bridge.model.endpoint import Endpoint
from ttsr_ls.bridge.model.request import ModelRequest, request_body, user_message
from ttsr_ls.rules.stream import Snapshot
from ttsr_ls.session.history.turn_output import Text, Thinking, ToolCall
from ttsr_ls.session.history.usage import Usage
from ttsr_ls.session.output.wire_events import Api, UsageReported

WRITE = {"functionCall": {"name": "write", "args": {"path": "a.ts", "content": "let a: any"}}}


def gemini(*events: Any) -> Decoded:
    return decode(Api.GEMINI, events)


def test_a_function_call_is_matched_once_as_a_whole() -> None:
    decoded = gemini(gemini_chunk(WRITE, finishReason="STOP"))
    assert decoded.outputs == [ToolCall("call_0", "write", '{"path":"a.ts","content":"let a: any"}')]
    assert [delta.event.text for delta in decoded.streamed if isinstance(delta.event, Snapshot)] == ["let a: any"]


def test_calls_without_ids_and_arguments_get_distinct_ids() -> None:
    call: Event = {"functionCall": {"name": "ls"}}
    decoded = gemini(gemini_chunk(call, call), gemini_chunk(call), gemini_chunk(finishReason="STOP"))
    assert decoded.outputs == [ToolCall(f"call_{number}", "ls", "{}") for number in range(3)]


def test_signatures_stay_with_their_parts() -> None:
    decoded = gemini(
        gemini_chunk({"text": "Let me ", "thought": True}),
        gemini_chunk({"text": "see.", "thought": True, "thoughtSignature": "dGhvdWdodA=="}),
        gemini_chunk({"text": "I "}),
        gemini_chunk({"text": "write."}),
        gemini_chunk({"text": "", "thoughtSignature": "dGV4dA=="}),
        gemini_chunk({**WRITE, "thoughtSignature": "Y2FsbA=="}, WRITE),
        gemini_chunk({"text": "", "thoughtSignature": "bm90aGluZw=="}, finishReason="STOP"),
    )
    call = arguments(path="a.ts", content="let a: any").replace(", ", ",").replace(": ", ":").replace("a:any", "a: any")
    assert decoded.outputs == [
        Thinking("Let me see.", None, "dGhvdWdodA=="),
        Text("I write.", "dGV4dA=="),
        ToolCall("call_0", "write", call, "Y2FsbA=="),
        ToolCall("call_1", "write", call),
    ]


def test_only_the_first_candidate_is_read() -> None:
    other = {"index": 1, "content": {"parts": [{"text": "Other."}]}, "finishReason": "STOP"}
    chunk = gemini_chunk({"text": "Mine."})
    chunk["candidates"].insert(0, other)
    decoded = gemini(chunk, gemini_chunk(finishReason="STOP"))
    assert decoded.outputs == [Text("Mine.")]


@pytest.mark.parametrize(
    ("event", "failure"),
    [
        (
            {"error": {"code": 429, "message": "Slow down.", "status": "RESOURCE_EXHAUSTED"}},
            "The provider reported RESOURCE_EXHAUSTED: Slow down.",
        ),
        ({"error": {}}, "The provider reported an error."),
        ({"promptFeedback": {"blockReason": "SAFETY"}}, "The provider blocked the prompt for the reason SAFETY."),
    ],
)
def test_failures_are_full_sentences(event: Event, failure: str) -> None:
    assert gemini(event).failure == failure


def test_thinking_tokens_are_output_and_cached_tokens_are_counted_once() -> None:
    usage = {
        "promptTokenCount": 100,
        "cachedContentTokenCount": 60,
        "toolUsePromptTokenCount": 5,
        "candidatesTokenCount": 7,
        "thoughtsTokenCount": 20,
        "totalTokenCount": 132,
    }
    decoded = gemini({**gemini_chunk({"text": "Hi."}, finishReason="STOP"), "usageMetadata": usage})
    assert [event.usage for event in decoded.events if isinstance(event, UsageReported)] == [Usage(45, 27, 60)]


class _Reason(StrEnum):
    STOP = "STOP"


def test_sdk_objects_are_read_like_plain_values() -> None:
    def part(**fields: object) -> SimpleNamespace:
        return SimpleNamespace(**{"text": None, "thought": None, "thought_signature": None, **fields})

    call = SimpleNamespace(id=None, name="write", args=WRITE["functionCall"]["args"])
    parts = [part(text="Hm.", thought=True), part(function_call=call, thought_signature=b"sig")]
    candidate = SimpleNamespace(index=None, content=SimpleNamespace(parts=parts), finish_reason=_Reason.STOP)
    counts = SimpleNamespace(prompt_token_count=3, candidates_token_count=2, thoughts_token_count=None)
    chunk = SimpleNamespace(candidates=[candidate], model_version="m-1", usage_metadata=counts, prompt_feedback=None)
    plain = {
        **gemini_chunk({"text": "Hm.", "thought": True}, {**WRITE, "thoughtSignature": "c2ln"}, finishReason="STOP"),
        "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 2},
    }
    assert gemini(chunk) == gemini(plain)
    assert len(gemini(chunk).outputs) == 2


def test_the_gemini_request_has_the_model_in_the_url_and_the_answer_limit() -> None:
    endpoint = Endpoint(Api.GEMINI, "http://x/v1beta/", "models/gemini 2/../x?y", None, 50)
    assert endpoint.url == "http://x/v1beta/models/gemini%202%2F..%2Fx%3Fy:streamGenerateContent?alt=sse"
    sent = request_body(endpoint, ModelRequest((user_message(Api.GEMINI, "Hello?"),)))
    assert sent == {
        "contents": [{"role": "user", "parts": [{"text": "Hello?"}]}],
        "generationConfig": {"maxOutputTokens": 50},
    }
