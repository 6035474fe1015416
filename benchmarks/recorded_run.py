"""A long run of Claude Code: a recorded one, turn after turn, with longer texts in the place of the recorded ones.

All lines have the form of `tests/samples/claude/print-partial.jsonl`, in the same order. Each turn thinks, answers, and
writes a file of Python code.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.measuring import pieces
from benchmarks.real_texts import real_text

_RECORDED = Path(__file__).parents[1] / "tests" / "samples" / "claude" / "print-partial.jsonl"
_DELTA = 16
_THINKING = 1_000
_ANSWER = 2_000
_FIELDS = {"thinking_delta": "thinking", "text_delta": "text", "input_json_delta": "partial_json"}


def recorded_run(turns: int, written: int) -> bytes:
    """The output of an agent in so many turns, each of which writes a file of `written` characters."""
    recorded = [json.loads(line) for line in _RECORDED.read_text(encoding="utf-8").splitlines()]
    lines: list[str] = []
    for turn in range(turns):
        texts = {
            "thinking": _part(real_text("prose"), turn, _THINKING),
            "text": _part(real_text("prose", 1), turn, _ANSWER),
            "content": _part(real_text("python"), turn, written),
        }
        lines += [json.dumps(message).replace("_fake0", f"_{turn}_") for message in _turn(recorded, texts)]
    return "".join(f"{line}\n" for line in lines).encode()


def _part(text: str, number: int, length: int) -> str:
    start = number * length % (len(text) - length)
    return text[start : start + length]


def _turn(recorded: list[dict[str, Any]], texts: dict[str, str]) -> Iterator[dict[str, Any]]:
    streamed: set[tuple[str, int]] = set()
    for message in recorded:
        delta = message.get("event", {}).get("delta", {})
        field = _FIELDS.get(delta.get("type"))
        if field is not None:
            block = (message["api_message_id"], message["event"]["index"])
            if block not in streamed:
                streamed.add(block)
                yield from _deltas(message, field, texts)
        elif message["type"] == "assistant":
            yield _whole(message, texts)
        elif message.get("subtype") != "thinking_tokens":
            yield message


def _deltas(message: dict[str, Any], field: str, texts: dict[str, str]) -> Iterator[dict[str, Any]]:
    whole = _arguments(texts) if field == "partial_json" else texts[field]
    event = message["event"]
    for number, piece in enumerate(pieces(whole, _DELTA)):
        if field == "thinking":
            yield {"type": "system", "subtype": "thinking_tokens", "estimated_tokens": 3 * number + 3}
        yield {**message, "event": {**event, "delta": {**event["delta"], field: piece}}}


def _whole(message: dict[str, Any], texts: dict[str, str]) -> dict[str, Any]:
    block = dict(message["message"]["content"][0])
    if block["type"] == "tool_use":
        block["input"] = json.loads(_arguments(texts))
    else:
        block[block["type"]] = texts[block["type"]]
    return {**message, "message": {**message["message"], "content": [block]}}


def _arguments(texts: dict[str, str]) -> str:
    return json.dumps({"file_path": "/srv/agents/proj/demo.py", "content": texts["content"]})
