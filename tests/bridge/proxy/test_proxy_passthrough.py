"""Answers that the proxy forwards unchanged."""

from __future__ import annotations

import gzip
from pathlib import Path

from aiohttp import web

from tests.bridge.proxy.anthropic_client import AnthropicClient
from tests.bridge.proxy.served import served, stream
from ttsr_ls.bridge.proxy.proxy_notices import ProtectionFailed


async def test_probes_redirects_and_compressed_answers_are_forwarded(shop: Path) -> None:
    packed = gzip.compress(b'{"data": []}')

    async def handle(request: web.Request) -> web.StreamResponse:
        match request.path:
            case "/":
                return web.Response(headers={"Content-Length": "7"})
            case "/moved":
                return web.Response(status=307, headers={"Location": "https://elsewhere.example/"})
            case "/same":
                return web.Response(status=304)
            case _:
                response = web.Response(body=packed, headers={"Content-Encoding": "gzip", "Content-Type": "a/json"})
                response.headers.add("Set-Cookie", "a=1")
                response.headers.add("Set-Cookie", "b=2")
                return response

    async with served(handle, shop) as proxy:
        async with proxy.client.head(f"{proxy.url}/") as answer:
            assert (answer.status, answer.headers["Content-Length"]) == (200, "7")
        async with proxy.client.get(f"{proxy.url}/moved", allow_redirects=False) as answer:
            assert (answer.status, answer.headers["Location"]) == (307, "https://elsewhere.example/")
        async with proxy.client.get(f"{proxy.url}/same") as answer:
            assert answer.status == 304
        async with proxy.client.get(f"{proxy.url}/v1/models") as answer:
            assert await answer.read() == packed
            assert answer.headers.getall("Set-Cookie") == ["a=1", "b=2"]


async def test_an_error_response_of_upstream_is_forwarded_unchanged(shop: Path) -> None:
    error = b'{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'

    async def handle(_: web.Request) -> web.StreamResponse:
        headers = {"Content-Type": "application/json", "retry-after": "3"}
        return web.Response(status=529, body=error, headers=headers)

    async with served(handle, shop) as proxy:
        body = AnthropicClient().request()
        async with proxy.client.post(f"{proxy.url}/v1/messages", data=body) as answer:
            assert (answer.status, await answer.read(), answer.headers["retry-after"]) == (529, error, "3")
        assert (await proxy.state())["active_streams"] == 0


async def test_an_answer_in_an_unknown_format_is_forwarded_and_reported(shop: Path) -> None:
    async def handle(request: web.Request) -> web.StreamResponse:
        # Compressed although the proxy asked for no compression.
        assert request.headers["Accept-Encoding"] == "identity"
        headers = {"Content-Type": "text/event-stream", "Content-Encoding": "gzip"}
        return web.Response(body=gzip.compress(b"data: {}\n\n"), headers=headers)

    async with served(handle, shop) as proxy:
        status, data = await proxy.post(AnthropicClient().request())
        assert (status, gzip.decompress(data)) == (200, b"data: {}\n\n")
        # It should have been inspected and was not.
        assert (await proxy.state())["requests"] == {"inspected": 0, "irrelevant": 0, "unparsed": 1}
        assert [type(notice) for notice in proxy.notices] == [ProtectionFailed]
    async with served(handle, shop, refuses_unparsed=True) as proxy:
        status, data = await proxy.post(AnthropicClient().request())
        assert status == 502
        assert b"a form that cannot be inspected" in data


async def test_an_event_that_cannot_be_read_is_reported_or_refused(shop: Path) -> None:
    async def handle(request: web.Request) -> web.StreamResponse:
        return await stream(request, [b"event: message_start\ndata: {broken\n\n", b": after\n\n"])

    async with served(handle, shop) as proxy:
        assert (await proxy.post(AnthropicClient().request()))[1].endswith(b": after\n\n")
        assert (await proxy.state())["unread_events"] == 1
        assert [type(notice) for notice in proxy.notices] == [ProtectionFailed]
    async with served(handle, shop, refuses_unparsed=True) as proxy:
        _, data = await proxy.post(AnthropicClient().request())
        assert data.startswith(b"event: error\ndata: ")
        assert b"broken" not in data


async def test_the_headers_of_a_stream_are_those_of_upstream(shop: Path) -> None:
    async def handle(request: web.Request) -> web.StreamResponse:
        return await stream(request, [b": hello\n\n"])

    async with served(handle, shop) as proxy:
        body = AnthropicClient().request()
        async with proxy.client.post(f"{proxy.url}/v1/messages", data=body) as answer:
            assert answer.headers["X-Upstream"] == "kept"
            assert answer.headers["Content-Type"] == "text/event-stream"
            assert await answer.read() == b": hello\n\n"
