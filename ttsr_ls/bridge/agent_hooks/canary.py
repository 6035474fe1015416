"""A scripted model on loopback that makes a real agent break a canary rule once, and detects whether it was denied.

It speaks Anthropic's Messages API, OpenAI's Responses API, and Google's Gemini API as far as a coding agent needs
them.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

from ttsr_ls.store.hook_server_file import LOOPBACK

CANARY = "ttsr_ls_canary_5e0b"
"""What the canary rule's condition matches."""

CANARY_RULE = f"---\ncondition: {CANARY}\n---\nThis is a test of ttsr-ls: {CANARY}_denied.\n"
_DENIED = f"{CANARY}_denied"


class CanaryModel:
    """The scripted model. `denied` is true after a later request contained the body of the canary rule."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.asked = 0
        """How many requests offered tools."""
        self.denied = False

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[str]:
        """Starts to listen on a free loopback port and returns the base address."""
        application = web.Application(client_max_size=64 * 1024 * 1024)
        application.router.add_route("*", "/{path:.*}", self._answer)
        runner = web.AppRunner(application, access_log=None)
        await runner.setup()
        try:
            site = web.TCPSite(runner, LOOPBACK, 0)
            await site.start()
            port = runner.addresses[0][1]
            yield f"http://{LOOPBACK}:{port}"
        finally:
            await runner.cleanup()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        path = request.match_info["path"]
        if request.method != "POST" or "count_tokens" in path:
            return web.json_response({"input_tokens": 1} if request.method == "POST" else {})
        body = await request.json()
        if body.get("tools"):
            asked = body.get("messages") or body.get("input") or body.get("contents")
            self.denied = self.denied or _DENIED in json.dumps(asked)
            self.asked += 1
        breaks = bool(body.get("tools")) and self.asked == 1
        if path.endswith(":generateContent"):
            return web.json_response(self._contents(breaks))
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        if "GenerateContent" in path:
            await response.write(f"data: {json.dumps(self._contents(breaks))}\r\n\r\n".encode())
            return response
        for event in self._responses(breaks) if "responses" in path else self._messages(breaks):
            await response.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
        return response

    def _contents(self, breaks: bool) -> dict[str, Any]:
        arguments = {"file_path": self._path, "content": f"{CANARY}\n"}
        part = {"functionCall": {"name": "write_file", "args": arguments}} if breaks else {"text": "Done."}
        candidate = {"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}
        return {"candidates": [candidate], "usageMetadata": {"promptTokenCount": 1, "totalTokenCount": 2}}

    def _messages(self, breaks: bool) -> list[dict[str, Any]]:
        arguments = {"file_path": self._path, "content": f"{CANARY}\n"}
        block = {"type": "tool_use", "id": "toolu_canary", "name": "Write", "input": {}} if breaks else {"type": "text"}
        delta = (
            {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
            if breaks
            else {"type": "text_delta", "text": "Done."}
        )
        usage = {"input_tokens": 1, "output_tokens": 1}
        message = {"id": f"msg_{self.asked}", "type": "message", "role": "assistant", "content": [], "model": "canary"}
        reason = "tool_use" if breaks else "end_turn"
        return [
            {"type": "message_start", "message": {**message, "stop_reason": None, "usage": usage}},
            {"type": "content_block_start", "index": 0, "content_block": block if breaks else {**block, "text": ""}},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 1}},
            {"type": "message_stop"},
        ]

    def _responses(self, breaks: bool) -> list[dict[str, Any]]:
        identity = f"resp_{self.asked}"
        command = json.dumps({"cmd": f"echo {CANARY} > {json.dumps(self._path)}"})
        call = {"type": "function_call", "id": "fc_1", "call_id": "call_canary", "name": "exec_command"}
        text = {"type": "message", "id": "msg_1", "role": "assistant"}
        item = (
            {**call, "arguments": command}
            if breaks
            else {**text, "content": [{"type": "output_text", "text": "Done."}]}
        )
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        return [
            {"type": "response.created", "response": {"id": identity}},
            {
                "type": "response.output_item.added",
                "output_index": 0,
                "item": {**item, "arguments": ""} if breaks else text,
            },
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": {"id": identity, "usage": usage}},
        ]
