"""A provider on loopback that answers the n-th request with the n-th answer, and records the requests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer


class Asked:
    """A received request."""

    def __init__(self, path: str, headers: dict[str, str], body: dict[str, Any]) -> None:
        self.path = path
        self.headers = headers
        self.body = body


class Provider:
    """`answers` are lists of events, or an HTTP status with a body. `dropped` counts streams that the client closed."""

    def __init__(self, answers: Sequence[list[dict[str, Any]] | tuple[int, str]]) -> None:
        self.answers = list(answers)
        self.asked: list[Asked] = []
        self.dropped = 0
        self.url = ""

    async def handle(self, request: web.Request) -> web.StreamResponse:
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.asked.append(Asked(request.path, headers, await request.json()))
        answer = self.answers[len(self.asked) - 1]
        if isinstance(answer, tuple):
            return web.Response(status=answer[0], text=answer[1])
        response = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await response.prepare(request)
        try:
            for event in answer:
                name = f"event: {event['type']}\n" if "type" in event else ""
                await response.write(f"{name}data: {json.dumps(event)}\n\n".encode())
            if "chat" in request.path:
                await response.write(b"data: [DONE]\n\n")
        except ConnectionResetError:
            self.dropped += 1
        return response


@asynccontextmanager
async def provider(*answers: list[dict[str, Any]] | tuple[int, str]) -> AsyncIterator[Provider]:
    serving = Provider(answers)
    app = web.Application()
    app.router.add_post("/{path:.*}", serving.handle)
    async with TestServer(app) as server:
        serving.url = str(server.make_url("")).rstrip("/")
        yield serving


@asynccontextmanager
async def byte_server(
    serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
) -> AsyncIterator[str]:
    """Yields the address of a server on loopback whose handler writes raw bytes. Closes its connections at the end."""
    writers: list[asyncio.StreamWriter] = []

    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        await serve(reader, writer)

    server = await asyncio.start_server(served, "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for writer in writers:
            writer.transport.abort()
        await asyncio.sleep(0)  # Transports close in the next iteration of the event loop.
