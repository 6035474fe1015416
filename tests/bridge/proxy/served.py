"""The proxy over sockets, in front of an upstream in the same loop."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

from ttsr_ls.bridge.proxy.proxy_limits import ProxyLimits
from ttsr_ls.bridge.proxy.proxy_notices import ProxyNotice
from ttsr_ls.bridge.proxy.serving.open_sessions import ProxyWorkspace
from ttsr_ls.bridge.proxy.serving.routes import ProxyRoutes
from ttsr_ls.bridge.proxy.serving.server import ProxyOptions, ProxyServer

PATH_KEY = "t0ken"
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Served:
    """A running proxy: `url` is the base address of its clients."""

    def __init__(self, server: ProxyServer, client: aiohttp.ClientSession, notices: list[ProxyNotice]) -> None:
        self.server = server
        self.client = client
        self.notices = notices
        self.own = f"http://127.0.0.1:{server.port}/s/{PATH_KEY}"
        self.url = f"{self.own}/anthropic"

    async def post(self, body: bytes, **headers: str) -> tuple[int, bytes]:
        async with self.client.post(f"{self.url}/v1/messages", data=body, headers=headers) as answer:
            return answer.status, await answer.read()

    async def state(self) -> dict[str, Any]:
        async with self.client.get(self.own) as answer:
            return await answer.json()


@asynccontextmanager
async def upstream_of(handler: Handler) -> AsyncIterator[str]:
    application = web.Application(client_max_size=64 * 1024 * 1024)
    application.router.add_route("*", "/{path:.*}", handler)
    runner = web.AppRunner(
        application,
        access_log=None,
        shutdown_timeout=0.1,
        handler_cancellation=True,
        auto_decompress=False,
        max_field_size=64 * 1024,
    )
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def served(
    handler: Handler,
    cwd: Path,
    *,
    refuses_unparsed: bool = False,
    limits: ProxyLimits | None = None,
    log: bool = True,
    judge: str | None = None,
    keeps_content: bool = True,
) -> AsyncIterator[Served]:
    notices: list[ProxyNotice] = []
    options = ProxyOptions(refuses_unparsed=refuses_unparsed, limits=limits or ProxyLimits(), check_after=0)
    async with upstream_of(handler) as url:
        routes = ProxyRoutes(PATH_KEY, {"anthropic": url, "openai": f"{url}/v1", "gemini": url})
        server = ProxyServer(
            routes,
            ProxyWorkspace("claude", cwd, log, judge=judge, keeps_content=keeps_content),
            options,
            notices.append,
        )
        await server.start()
        try:
            async with aiohttp.ClientSession(auto_decompress=False) as client:
                yield Served(server, client, notices)
        finally:
            await server.close()


async def stream(request: web.Request, pieces: list[bytes], pause: float = 0.0) -> web.StreamResponse:
    """Answers with a stream of events in chunks."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "X-Upstream": "kept"})
    await response.prepare(request)
    for piece in pieces:
        await response.write(piece)
        await asyncio.sleep(pause)
    await response.write_eof()
    return response


def scripted(answer: Callable[[dict[str, Any]], bytes]) -> Handler:
    """An upstream that answers each body with a stream."""

    async def handle(request: web.Request) -> web.StreamResponse:
        return await stream(request, [answer(json.loads(await request.read()))])

    return handle
