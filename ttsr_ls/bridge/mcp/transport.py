"""Standard input and output for the MCP server, so that whatever a client sends gets an answer.

The transport of the `mcp` package drops what it cannot read, without a word, and a client then waits for ever. Here,
halves of characters, which JSON can write and its reader refuses, become U+FFFD before it sees a line, and what is no
message is answered with an error. Like `server`, this module imports the `mcp` package.
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

_Message = SessionMessage | Exception

_HALF = re.compile(r"\\u[dD][89a-fA-F]")


class _Lines(TextIOWrapper):
    """Lines of text, without halves of characters where they are JSON."""

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]  # As that of TextIOWrapper.
        line = super().readline(-1 if size is None else size)
        return well_formed(line) if _HALF.search(line) else line


@asynccontextmanager
async def stdio_transport() -> AsyncIterator[
    tuple[MemoryObjectReceiveStream[_Message], ObjectSendStream[SessionMessage]]
]:
    """The streams of messages for a server, which gets none that cannot be read: those are answered here."""
    lines = anyio.wrap_file(_Lines(sys.stdin.buffer, encoding="utf-8", errors="replace"))
    async with stdio_server(stdin=lines) as (incoming, outgoing):
        readable, messages = anyio.create_memory_object_stream[_Message](0)
        async with anyio.create_task_group() as group:
            group.start_soon(_sort, incoming, readable, outgoing)
            yield messages, outgoing
            group.cancel_scope.cancel()


async def _sort(
    incoming: ObjectReceiveStream[_Message],
    readable: MemoryObjectSendStream[_Message],
    outgoing: ObjectSendStream[SessionMessage],
) -> None:
    async with readable:
        async for message in incoming:
            if isinstance(message, Exception):
                await outgoing.send(SessionMessage(error_response(message)))
            else:
                await readable.send(message)


def error_response(error: Exception) -> types.JSONRPCError:
    """The answer to a line that is no message. Whose id it has is not known, so its own is null."""
    if isinstance(error, ValidationError) and error.errors()[0]["type"] != "json_invalid":
        data = types.ErrorData(code=types.INVALID_REQUEST, message="This is no JSON-RPC message.")
    else:
        data = types.ErrorData(code=types.PARSE_ERROR, message="This is no JSON.")
    return types.JSONRPCError(jsonrpc="2.0", id=None, error=data)


def well_formed(line: str) -> str:
    """A line of JSON with U+FFFD for halves of characters; any other line as it is."""
    try:
        text = json.dumps(json.loads(line), ensure_ascii=False)
    except (ValueError, RecursionError):
        return line
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace") + "\n"
