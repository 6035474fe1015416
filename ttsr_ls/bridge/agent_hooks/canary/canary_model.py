"""A scripted model on loopback that makes a real agent break canary rules, and detects which calls were denied.

It speaks Anthropic's Messages API, OpenAI's Responses API, and Google's Gemini API as far as a coding agent needs
them.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import PurePath
from typing import Any

from aiohttp import web

from ttsr_ls.bridge.agent_hooks.canary.canary_calls import CanaryCall
from ttsr_ls.store.hook_server_file import LOOPBACK

_PATCH_TOOL = "apply_patch"
_SHELL_ARGUMENTS: dict[str, Callable[[str], dict[str, Any]]] = {
    "exec_command": lambda command: {"cmd": command},
    "shell_command": lambda command: {"command": command},
    "shell": lambda command: {"command": ["bash", "-lc", command]},
}
"""The shell tools of versions of Codex, with their arguments."""


class CanaryModel:
    """The scripted model. Each of its answers makes the next call for which the agent offers a tool."""

    def __init__(self, calls: Sequence[CanaryCall], folder: PurePath) -> None:
        self._calls = list(calls)
        self._folder = folder
        self.asked = 0
        """How many requests offered tools."""
        self.made: list[CanaryCall] = []
        """The calls that the agent was made to do."""
        self._denied: set[str] = set()

    def was_denied(self, call: CanaryCall) -> bool:
        """Returns whether a later request has the denial of the call."""
        return call.key in self._denied

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
        call = self._next_call(body) if body.get("tools") else None
        if path.endswith(":generateContent"):
            return web.json_response(self._contents(call))
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        if "GenerateContent" in path:
            await response.write(f"data: {json.dumps(self._contents(call))}\r\n\r\n".encode())
            return response
        is_openai = "responses" in path
        for event in self._responses(call, _names(body.get("tools", []))) if is_openai else self._messages(call):
            await response.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
        return response

    def _next_call(self, body: dict[str, Any]) -> CanaryCall | None:
        """Records denials that the request reports, and returns the next call that its tools allow."""
        asked = json.dumps(body.get("messages") or body.get("input") or body.get("contents"))
        self._denied |= {call.key for call in self.made if call.denial in asked}
        self.asked += 1
        while self._calls:
            call = self._calls.pop(0)
            if call.tool != _PATCH_TOOL or _PATCH_TOOL in _names(body["tools"]):
                self.made.append(call)
                return call
        return None

    def _file_arguments(self, call: CanaryCall) -> dict[str, str]:
        return {"file_path": str(self._folder / call.file), "content": call.content(self._folder)}

    def _contents(self, call: CanaryCall | None) -> dict[str, Any]:
        part: dict[str, Any] = {"text": "Done."}
        if call is not None:
            part = {"functionCall": {"name": "write_file", "args": self._file_arguments(call)}}
        candidate = {"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}
        return {"candidates": [candidate], "usageMetadata": {"promptTokenCount": 1, "totalTokenCount": 2}}

    def _messages(self, call: CanaryCall | None) -> list[dict[str, Any]]:
        block: dict[str, Any] = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": "Done."}
        if call is not None:
            block = {"type": "tool_use", "id": f"toolu_{call.key}", "name": "Write", "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(self._file_arguments(call))}
        usage = {"input_tokens": 1, "output_tokens": 1}
        message = {"id": f"msg_{self.asked}", "type": "message", "role": "assistant", "content": [], "model": "canary"}
        reason = "end_turn" if call is None else "tool_use"
        return [
            {"type": "message_start", "message": {**message, "stop_reason": None, "usage": usage}},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 1}},
            {"type": "message_stop"},
        ]

    def _responses(self, call: CanaryCall | None, tools: set[str]) -> list[dict[str, Any]]:
        identity = f"resp_{self.asked}"
        begun: dict[str, Any] = {"type": "message", "id": "msg_1", "role": "assistant"}
        item: dict[str, Any] = {**begun, "content": [{"type": "output_text", "text": "Done."}]}
        if call is not None:
            ids, content = {"id": f"item_{call.key}", "call_id": f"call_{call.key}"}, call.content(self._folder)
            if call.tool == _PATCH_TOOL:
                begun = {"type": "custom_tool_call", **ids, "name": _PATCH_TOOL, "input": ""}
                item = {**begun, "input": content}
            else:
                shell = next((name for name in _SHELL_ARGUMENTS if name in tools), "exec_command")
                begun = {"type": "function_call", **ids, "name": shell, "arguments": ""}
                item = {**begun, "arguments": json.dumps(_SHELL_ARGUMENTS[shell](content))}
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        return [
            {"type": "response.created", "response": {"id": identity}},
            {"type": "response.output_item.added", "output_index": 0, "item": begun},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": {"id": identity, "usage": usage}},
        ]


def _names(tools: list[dict[str, Any]]) -> set[str]:
    return {str(tool.get("name", "")) for tool in tools}
