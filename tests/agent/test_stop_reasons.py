"""Unusual endings of answers are shown to the user on every wire, and fail the turn if they spoil it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.agent.agent_session import running
from tests.bridge.wire.provider_answers import answer, chunk, gemini_chunk
from ttsr_ls.agent.stop_reasons import EMPTY, unusual_ending
from ttsr_ls.agent.view import TroubleReported
from ttsr_ls.session.history.turn_output import Text
from ttsr_ls.session.output.wire_events import Api


class _Recorded:
    """A model whose answers are given as events of its wire."""

    def __init__(self, *answers: list[dict[str, Any]]) -> None:
        self._answers = list(answers)

    async def stream(self, request: object) -> Any:
        for event in self._answers.pop(0):
            yield event

    async def close(self) -> None:
        """Nothing to close."""


def anthropic(reason: str, said: str = "") -> list[dict[str, Any]]:
    text = [
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": said}},
        {"type": "content_block_stop", "index": 0},
    ]
    return [
        {"type": "message_start", "message": {"model": "m-1"}},
        *(text if said else []),
        {"type": "message_delta", "delta": {"stop_reason": reason}},
        {"type": "message_stop"},
    ]


ENDINGS = [
    (Api.ANTHROPIC, anthropic("refusal"), "refused"),
    (Api.ANTHROPIC, anthropic("max_tokens", "Half"), "length limit"),
    (Api.ANTHROPIC, anthropic("model_context_window_exceeded", "Half"), "context window"),
    (Api.ANTHROPIC, anthropic("end_turn"), "empty"),
    (Api.ANTHROPIC, anthropic("end_turn", " \n"), "empty"),
    (Api.ANTHROPIC, anthropic("quota_gone", "x"), "'quota_gone'"),
    (Api.OPENAI_CHAT, [chunk({"content": "Half"}), chunk({}, "length")], "length limit"),
    (Api.OPENAI_CHAT, [chunk({}, "content_filter")], "content filter"),
    (Api.OPENAI_CHAT, [chunk({}, "stop")], "empty"),
    (
        Api.OPENAI_RESPONSES,
        [
            {"type": "response.created", "response": {"model": "m-1"}},
            {"type": "response.incomplete", "response": {"incomplete_details": {"reason": "content_filter"}}},
        ],
        "content filter",
    ),
    (Api.GEMINI, [gemini_chunk({"text": "Half"}, finishReason="MAX_TOKENS")], "length limit"),
    (Api.GEMINI, [gemini_chunk(finishReason="SAFETY")], "content filter"),
    (Api.GEMINI, [gemini_chunk(finishReason="MALFORMED_FUNCTION_CALL")], "could not read"),
    (Api.GEMINI, [gemini_chunk({"text": ""}, finishReason="STOP")], "empty"),
    (Api.GEMINI, [{"promptFeedback": {"blockReason": "SAFETY"}}], "blocked the prompt"),
]


@pytest.mark.parametrize(("api", "events", "said"), ENDINGS)
async def test_an_unusual_ending_is_shown_and_fails_the_turn(
    api: Api, events: list[dict[str, Any]], said: str, tmp_path: Path
) -> None:
    async with running(tmp_path, api, _Recorded(events)) as it_running:
        assert await it_running.agent.turn("Go.") is False
    (trouble,) = it_running.of(TroubleReported)
    assert said in trouble.message


@pytest.mark.parametrize("api", list(Api))
async def test_an_answer_with_a_usual_ending_succeeds(api: Api, tmp_path: Path) -> None:
    async with running(tmp_path, api, _Recorded(answer(api, [Text("Done.")]))) as it_running:
        assert await it_running.agent.turn("Go.") is True
    assert it_running.of(TroubleReported) == []


@pytest.mark.parametrize(
    ("reason", "is_empty", "message"),
    [(None, True, None), ("tool_use", False, None), ("pause_turn", True, None), ("end_turn", True, EMPTY)],
)
def test_usual_stop_reasons_have_no_message(reason: str | None, is_empty: bool, message: str | None) -> None:
    assert unusual_ending(reason, is_empty=is_empty) == message
