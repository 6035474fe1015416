"""A model on loopback that says what a script says: the Anthropic Messages API as far as a coding agent needs it.

An answer is a list of blocks; each is streamed in pieces, with pauses as a real model makes them. Stdlib only.
"""

from __future__ import annotations

import json
import random
import re
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tests.loopback_model import LoopbackModel, ModelRequestHandler

_PIECE = re.compile(r"\s*\S{1,7}|\s+")


@dataclass(frozen=True)
class Thinking:
    text: str


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class ToolUse:
    tool: str
    arguments: dict[str, Any]


Block = Thinking | Text | ToolUse


class MessagesServer(LoopbackModel):
    """Answers the n-th request that offers tools with the n-th answer, and any other with one word."""

    def __init__(self, answers: Sequence[Sequence[Block]], atoms: Sequence[str], seed: int) -> None:
        self._answers = [list(answer) for answer in answers]
        self._atoms = [atom for atom in atoms if atom]
        self._random = random.Random(seed)
        self._served = 0
        self.requests: list[dict[str, Any]] = []
        """Those that offered tools."""
        self._lock = threading.Lock()
        super().__init__()

    def post(self, handler: ModelRequestHandler, data: bytes, body: dict[str, Any]) -> None:
        if not handler.path.startswith("/v1/messages"):
            handler.send(200, b"{}")
            return
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.close_connection = True
        for pause, event in self.answer(body):
            time.sleep(pause)
            handler.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
            handler.wfile.flush()

    @property
    def served(self) -> int:
        """How many of the answers were asked for."""
        return self._served

    def answer(self, body: dict[str, Any]) -> Iterator[tuple[float, dict[str, Any]]]:
        """The events of an answer, each with the seconds to wait before it."""
        with self._lock:
            main = bool(body.get("tools")) and self._served < len(self._answers)
            number = self._served
            self._served += main
            if main:
                self.requests.append(body)
        blocks = self._answers[number] if main else [Text("Ok.")]
        usage = {"input_tokens": 1200 + 40 * number, "output_tokens": 1}
        message: dict[str, Any] = {
            "id": f"msg_demo{number + 1:04}",
            "type": "message",
            "role": "assistant",
            "content": [],
        }
        message |= {"model": body.get("model", ""), "stop_reason": None, "stop_sequence": None, "usage": usage}
        yield 0.25, {"type": "message_start", "message": message}
        for index, block in enumerate(blocks):
            yield from self._block(index, block, f"toolu_demo{number + 1:02}{index:02}")
        reason = "tool_use" if any(isinstance(block, ToolUse) for block in blocks) else "end_turn"
        usage = {"output_tokens": 12 * len(blocks)}
        yield 0.02, {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage}
        yield 0.0, {"type": "message_stop"}

    def _block(self, index: int, block: Block, call: str) -> Iterator[tuple[float, dict[str, Any]]]:
        content: dict[str, Any]
        match block:
            case Thinking(text):
                content = {"type": "thinking", "thinking": "", "signature": ""}
                deltas = [{"type": "thinking_delta", "thinking": piece} for piece in self._pieces(text)]
                deltas.append({"type": "signature_delta", "signature": "RGVtbw=="})
            case Text(text):
                content = {"type": "text", "text": ""}
                deltas = [{"type": "text_delta", "text": piece} for piece in self._pieces(text)]
            case ToolUse(tool, arguments):
                content = {"type": "tool_use", "id": call, "name": tool, "input": {}}
                pieces = self._pieces(json.dumps(arguments, ensure_ascii=False))
                deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in ["", *pieces]]
        yield 0.05, {"type": "content_block_start", "index": index, "content_block": content}
        for delta in deltas:
            pause = self._random.uniform(0.02, 0.06)
            yield pause, {"type": "content_block_delta", "index": index, "delta": delta}
        yield 0.01, {"type": "content_block_stop", "index": index}

    def _pieces(self, text: str) -> list[str]:
        """The text in pieces of a token or two; what is in `atoms` stays whole, so that it can be found afterwards."""
        parts = re.split("(" + "|".join(map(re.escape, self._atoms)) + ")", text) if self._atoms else [text]
        pieces: list[str] = []
        for part in parts:
            pieces += [part] if part in self._atoms else _PIECE.findall(part)
        joined: list[str] = []
        for piece in pieces:
            if joined and piece not in self._atoms and joined[-1] not in self._atoms and self._random.random() < 0.35:
                joined[-1] += piece
            else:
                joined.append(piece)
        return joined
