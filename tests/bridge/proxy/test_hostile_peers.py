"""Clients and upstreams that behave badly: nothing hangs, nothing is changed on its way, and rules hold."""

from __future__ import annotations

import asyncio
import gzip
import json
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest
from aiohttp import web

from tests.bridge.proxy.anthropic_client import AnthropicClient, read_events, read_message
from tests.bridge.proxy.anthropic_model import AnthropicModel, sse, text, write
from tests.bridge.proxy.served import scripted, served, stream
from ttsr_ls.bridge.model.endpoint import Timeouts
from ttsr_ls.bridge.proxy.proxy_limits import ProxyLimits
from ttsr_ls.bridge.watch.notices import Notice
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.session.output.agent_events import AgentEvent

OLD, NEW = write("import deprecated_module\n"), write("import new_module\n")


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd"])
async def test_a_compressed_request_is_forwarded_unchanged_and_counts_as_unparsed(shop: Path, encoding: str) -> None:
    seen: list[tuple[str | None, bytes]] = []

    async def handle(request: web.Request) -> web.StreamResponse:
        seen.append((request.headers.get("Content-Encoding"), await request.read()))
        return web.json_response({})

    packed = gzip.compress(AnthropicClient().request())
    async with served(handle, shop) as proxy:
        for body in (packed, b"damaged"):
            assert (await proxy.post(body, **{"Content-Encoding": encoding}))[0] == 200
        assert (await proxy.state())["unparsed"] == {"it is compressed": 2}
    assert seen == [(encoding, packed), (encoding, b"damaged")]


async def test_malformed_requests_get_an_answer_and_no_trace_is_printed(
    shop: Path, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[int] = []

    async def handle(request: web.Request) -> web.StreamResponse:
        seen.append(len(request.headers.get("X-Long", "")))
        return web.json_response({})

    lines = (
        "Content-Length: 2\r\nContent-Length: 3",
        "Content-Length: -1",
        "Transfer-Encoding: chunked\r\nContent-Length: 2",
    )
    async with served(handle, shop) as proxy:
        path = proxy.url.partition(str(proxy.server.port))[2]
        for line in lines:
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy.server.port)
            writer.write(f"POST {path}/v1/messages HTTP/1.1\r\nHost: h\r\n{line}\r\n\r\n{{}}".encode())
            assert b" 400 " in await asyncio.wait_for(reader.readline(), 60)
            writer.close()
            await writer.wait_closed()
        assert (await proxy.post(b"{}", **{"X-Long": "x" * 20_000}))[0] == 200
    assert seen == [20_000]
    assert caplog.records == []


async def test_a_retry_that_is_never_answered_ends_the_answer_with_an_error(shop: Path) -> None:
    model = AnthropicModel([[text("I write."), OLD], [NEW]])
    event = asyncio.Event()

    async def handle(request: web.Request) -> web.StreamResponse:
        if len(model.requests) == 1:
            await event.wait()
        return await stream(request, [sse(model.answer(await request.json()))])

    limits = ProxyLimits(keep_alive=0.05, upstream=Timeouts(connect=60, idle=1, total=60))
    async with served(handle, shop, limits=limits) as proxy:
        status, data = await proxy.post(AnthropicClient().request())
        event.set()
        last = read_events(data)[-1]
        assert (status, last["error"]["type"]) == (200, "api_error")
        assert "did not answer the retry" in last["error"]["message"]
        assert (await proxy.state())["active_streams"] == 0


async def test_a_waiting_client_gets_keep_alives(shop: Path) -> None:
    model = AnthropicModel([[NEW]])
    pinged = asyncio.Semaphore(0)

    async def handle(request: web.Request) -> web.StreamResponse:
        data = sse(model.answer(await request.json()))
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for piece in (data[:600], data[600:700], data[700:]):
            await response.write(piece)
            if not data.endswith(piece):
                await pinged.acquire()  # The model goes on when the client was kept alive.
        return response

    got, pings = b"", 0
    async with (
        served(handle, shop, limits=ProxyLimits(keep_alive=0.1)) as proxy,
        asyncio.timeout(60),
        proxy.client.post(f"{proxy.url}/v1/messages", data=AnthropicClient().request()) as answer,
    ):
        while piece := await answer.content.readany():
            got += piece
            while pings < got.count(b"event: ping"):
                pings += 1
                pinged.release()
    assert pings >= 2
    assert read_message(got)["content"][0]["input"]["content"] == "import new_module\n"


async def test_a_retry_waits_for_the_retry_after_header_of_a_busy_upstream(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = AnthropicModel([[OLD], [NEW]])
    pauses: list[float] = []
    sleep = asyncio.sleep

    async def slept(seconds: float) -> None:
        pauses.append(seconds)
        await sleep(0)

    asked = 0

    async def handle(request: web.Request) -> web.StreamResponse:
        nonlocal asked
        asked += 1
        if asked in (2, 3):
            return web.json_response({}, status=529, headers={"Retry-After": "7"} if asked == 2 else {})
        return await stream(request, [sse(model.answer(await request.json()))])

    async with served(handle, shop, limits=ProxyLimits(keep_alive=1000)) as proxy:
        monkeypatch.setattr("ttsr_ls.bridge.proxy.serving.proxied_request.asyncio.sleep", slept)
        _, data = await proxy.post(AnthropicClient().request())
        monkeypatch.undo()
    assert read_message(data)["content"][0]["input"]["content"] == "import new_module\n"
    assert [pause for pause in pauses if pause not in (0, 1000)] == [7, 1]


async def test_a_session_that_matches_in_threads_is_used_by_one_request_at_a_time(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shop / ".omp" / "rules" / "ast.md").write_text(
        "---\nastCondition: 'exec($A)'\nscope: tool:write(*.py)\n---\nNo.\n"
    )
    started, matching, overlapped, feed = threading.Event(), threading.Event(), threading.Event(), Observer.feed

    def feed_slowly(observer: Observer, events: Iterable[AgentEvent], now: int) -> list[Notice]:
        if threading.current_thread() is threading.main_thread():
            if matching.is_set():
                overlapped.set()
        elif not started.is_set():
            matching.set()
            started.set()
            overlapped.wait(1)  # The second request comes meanwhile.
            matching.clear()
        return feed(observer, events, now)

    monkeypatch.setattr(Observer, "feed", feed_slowly)
    session = {"X-Claude-Code-Session-Id": "same"}
    async with served(scripted(lambda body: sse(AnthropicModel([[NEW]]).answer(body))), shop) as proxy:
        first = asyncio.create_task(proxy.post(AnthropicClient("One").request(), **session))
        await asyncio.to_thread(started.wait, 60)
        await proxy.post(AnthropicClient("Two").request(), **session)
        await first
    assert not overlapped.is_set()


async def test_concurrent_conversations_of_a_session_are_all_protected(shop: Path) -> None:
    async def handle(request: web.Request) -> web.StreamResponse:
        body = await request.json()
        blocks = [NEW] if "Use new_module." in json.dumps(body) else [OLD]
        return await stream(request, [sse(AnthropicModel([blocks]).answer(body))])

    async with served(handle, shop) as proxy:
        asked = [AnthropicClient(f"Task {number % 2}").request() for number in range(8)]
        answers = await asyncio.gather(*(proxy.post(body, **{"X-Claude-Code-Session-Id": "same"}) for body in asked))
        got = [read_message(data)["content"][0]["input"]["content"] for _, data in answers]
        assert got == ["import new_module\n"] * 8
