"""A call that the length limit truncated is not run, and the model is informed, on every wire."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.bridge.wire.provider_answers import answer, chunk
from ttsr_ls import Session
from ttsr_ls.session.history.turn_output import Text
from ttsr_ls.session.output.wire_events import Api

CUT = '{"path": "a.ts", "conte'


def limited(api: Api) -> list[dict[str, Any]]:
    """An answer that ends within the arguments of its call."""
    match api:
        case Api.ANTHROPIC:
            call = {"type": "tool_use", "id": "c_1", "name": "write", "input": {}}
            return [
                {"type": "message_start", "message": {"model": "m-1"}},
                {"type": "content_block_start", "index": 0, "content_block": call},
                {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": CUT}},
                {"type": "content_block_stop", "index": 0},
                {"type": "message_delta", "delta": {"stop_reason": "max_tokens"}},
                {"type": "message_stop"},
            ]
        case Api.OPENAI_CHAT:
            function = {"name": "write", "arguments": CUT}
            return [chunk({"tool_calls": [{"index": 0, "id": "c_1", "function": function}]}), chunk({}, "length")]
        case Api.OPENAI_RESPONSES:
            call = {"type": "function_call", "id": "f_1", "call_id": "c_1", "name": "write", "arguments": ""}
            reason = {"incomplete_details": {"reason": "max_output_tokens"}}
            return [
                {"type": "response.created", "response": {"model": "m-1"}},
                {"type": "response.output_item.added", "output_index": 0, "item": call},
                {"type": "response.function_call_arguments.delta", "output_index": 0, "delta": CUT},
                {"type": "response.incomplete", "response": reason},
            ]
        case Api.GEMINI:
            raise AssertionError("no call comes in pieces on this wire")


@pytest.mark.parametrize("api", [api for api in Api if api is not Api.GEMINI])  # Gemini's calls are never truncated.
async def test_a_call_truncated_by_the_length_limit_is_not_run_and_the_model_informed(api: Api, tmp_path: Path) -> None:
    answers = iter([limited(api), answer(api, [Text("Shorter, then.")])])
    calls: list[object] = []
    sent: list[str] = []
    async with await Session.open(api=api, cwd=tmp_path) as session, session.turn("Write.") as turn:
        async for request in turn:
            sent.append(str(request.messages))
            async for _ in request.watch(stream(next(answers))):
                pass
            calls += request.calls
    assert calls == []
    assert len(sent) == 2
    assert "reached its length limit" in sent[1]


async def stream(events: list[dict[str, Any]]) -> Any:
    for event in events:
        yield event
