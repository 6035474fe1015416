"""A model that answers from a script, for any requests, without a network or a key.

It sends events of Anthropic's Messages API, so that the same code handles it as a real model.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from typing import Any, assert_never

from ttsr_ls.bridge.model.endpoint import ModelError
from ttsr_ls.bridge.model.request import ModelRequest
from ttsr_ls.bridge.model.script import (
    CallTool,
    FailStream,
    PauseStream,
    ReportUsage,
    SayText,
    ScriptLine,
    ThinkText,
    split_words,
)

NAME = "script"
"""The name of the model in the log."""


class ScriptedModel:
    """Answers the n-th request with the n-th answer."""

    def __init__(self, answers: Sequence[Sequence[ScriptLine]]) -> None:
        self._answers = list(answers)
        self._asked = 0

    async def stream(self, request: ModelRequest) -> AsyncGenerator[dict[str, Any], None]:
        """Yields the events of the next answer. Raises ModelError if the script has no more."""
        if self._asked >= len(self._answers):
            raise ModelError(f"The script has only {len(self._answers)} answers, and one more is needed.")
        answer = self._answers[self._asked]
        self._asked += 1
        yield {"type": "message_start", "message": {"model": NAME, "content": []}}
        index = 0
        for line in answer:
            match line:
                case PauseStream():
                    await asyncio.sleep(line.seconds)
                case FailStream():
                    yield {"type": "error", "error": {"type": "api_error", "message": line.message}}
                    return
                case ReportUsage():
                    yield {"type": "message_delta", "delta": {}, "usage": _counts(line)}
                case SayText() | ThinkText() | CallTool():
                    for event in _block(line, index, f"call_{self._asked}_{index}"):
                        yield event
                        await asyncio.sleep(0)  # Other tasks run between deltas, as with a real model.
                    index += 1
                case _:
                    assert_never(line)
        reason = "tool_use" if any(isinstance(line, CallTool) for line in answer) else "end_turn"
        yield {"type": "message_delta", "delta": {"stop_reason": reason}}
        yield {"type": "message_stop"}

    async def close(self) -> None:
        """Closes the connections. No request may follow."""


def _counts(line: ReportUsage) -> dict[str, int]:
    usage = line.usage
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cache_read_input_tokens": usage.cache_read_tokens,
        "cache_creation_input_tokens": usage.cache_write_tokens,
    }


def _block(line: SayText | ThinkText | CallTool, index: int, call_id: str) -> list[dict[str, Any]]:
    match line:
        case SayText():
            block: dict[str, Any] = {"type": "text", "text": ""}
            deltas: list[dict[str, Any]] = [{"type": "text_delta", "text": text} for text in line.deltas]
        case ThinkText():
            block = {"type": "thinking", "thinking": "", "signature": ""}
            deltas = [{"type": "thinking_delta", "thinking": text} for text in line.deltas]
            deltas.append({"type": "signature_delta", "signature": line.signature})
        case CallTool():
            block = {"type": "tool_use", "id": call_id, "name": line.tool, "input": {}}
            arguments = json.dumps(line.arguments, ensure_ascii=False)
            deltas = [{"type": "input_json_delta", "partial_json": text} for text in split_words(arguments)]
    return [
        {"type": "content_block_start", "index": index, "content_block": block},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]
