"""Standard input and output for the MCP server, with an answer to every line of a client.

The transport of the `mcp` package silently drops unreadable lines, and a client then waits forever. Here, lone
surrogates, which JSON allows and the package's parser refuses, become U+FFFD first, and a line that is no message is
answered with an error. When the input ends, the package cancels the requests that it still works on; here, they are
answered before. Like `server`, this module imports the `mcp` package.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import TextIOWrapper

import anyio
import mcp_types as types
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from ttsr_ls.escaping import well_formed

_Message = SessionMessage | Exception
_LAST_ANSWER_SECONDS = 10
"""How long the end of the input waits for the answers to earlier requests."""

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class _Lines(TextIOWrapper):
    """Lines of text; in JSON, lone surrogates are replaced."""

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]  # As that of TextIOWrapper.
        line = super().readline(-1 if size is None else size)
        return _well_formed_line(line) if _SURROGATE.search(line) else line


class _Answers(ObjectSendStream[SessionMessage]):
    """The stream of answers. Knows which requests have none yet."""

    def __init__(self, outgoing: ObjectSendStream[SessionMessage]) -> None:
        self._outgoing = outgoing
        self._waiting: set[types.RequestId] = set()
        self._changed = anyio.Event()

    def expect(self, message: types.JSONRPCMessage) -> None:
        """Notes a message of the client: a request needs an answer, unless the client cancels it."""
        match message:
            case types.JSONRPCRequest():
                self._waiting.add(message.id)
            case types.JSONRPCNotification(method="notifications/cancelled", params=dict(params)):
                self._forget(params.get("requestId"))
            case _:
                pass

    async def all_sent(self) -> None:
        """Waits until each request has its answer."""
        while self._waiting:
            self._changed = anyio.Event()
            await self._changed.wait()

    async def send(self, item: SessionMessage) -> None:
        await self._outgoing.send(item)
        if isinstance(item.message, types.JSONRPCResponse | types.JSONRPCError):
            self._forget(item.message.id)

    async def aclose(self) -> None:
        await self._outgoing.aclose()

    def _forget(self, request: object) -> None:
        if isinstance(request, str | int):
            self._waiting.discard(request)
            self._changed.set()


@asynccontextmanager
async def stdio_transport() -> AsyncIterator[
    tuple[MemoryObjectReceiveStream[_Message], ObjectSendStream[SessionMessage]]
]:
    """Returns the message streams for a server, which gets only valid messages; others are answered here."""
    lines = anyio.wrap_file(_Lines(sys.stdin.buffer, encoding="utf-8", errors="replace"))
    async with stdio_server(stdin=lines) as (incoming, outgoing):
        readable, messages = anyio.create_memory_object_stream[_Message](0)
        answers = _Answers(outgoing)
        async with anyio.create_task_group() as group:
            group.start_soon(_dispatch, incoming, readable, answers)
            yield messages, answers
            group.cancel_scope.cancel()


async def _dispatch(
    incoming: ObjectReceiveStream[_Message], readable: MemoryObjectSendStream[_Message], answers: _Answers
) -> None:
    async with readable:
        async for message in incoming:
            if isinstance(message, Exception):
                await answers.send(SessionMessage(error_response(message)))
            else:
                answers.expect(message.message)
                await readable.send(message)
        with anyio.move_on_after(_LAST_ANSWER_SECONDS):
            await answers.all_sent()


def error_response(error: Exception) -> types.JSONRPCError:
    """Returns the answer to a line that is no message. Its id is null, because that of the line is unknown."""
    if isinstance(error, ValidationError) and error.errors()[0]["type"] != "json_invalid":
        data = types.ErrorData(code=types.INVALID_REQUEST, message="This is no JSON-RPC message.")
    else:
        data = types.ErrorData(code=types.PARSE_ERROR, message="This is no JSON.")
    return types.JSONRPCError(jsonrpc="2.0", id=None, error=data)


def _well_formed_line(line: str) -> str:
    """Returns a line of JSON with U+FFFD for lone surrogates; any other line unchanged."""
    try:
        text = json.dumps(json.loads(line), ensure_ascii=False)
    except (ValueError, RecursionError):
        return line
    return well_formed(text) + "\n"
