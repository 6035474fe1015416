"""The proxy over sockets: forwarded and refused requests, and shutdown."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from tests.bridge.proxy.anthropic_client import AnthropicClient, read_message
from tests.bridge.proxy.anthropic_model import AnthropicModel, plain, sse, text, write
from tests.bridge.proxy.served import Served, scripted, served, stream
from tests.loopback_ports import free_port
from ttsr_ls.bridge.proxy.proxy_limits import ProxyLimits
from ttsr_ls.bridge.proxy.proxy_notices import AnswerRetried, ProtectionFailed, ProxyNotice
from ttsr_ls.bridge.proxy.serving.open_sessions import ProxySessions, ProxyWorkspace
from ttsr_ls.bridge.proxy.serving.routes import ProxyRoutes, validate_upstream
from ttsr_ls.bridge.proxy.serving.upstream import request_headers
from ttsr_ls.cli.proxy.notice_text import summary_text
from ttsr_ls.errors import UsageError
from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.session_dirs import session_file, workspace_folder, workspace_root
from ttsr_ls.store.log.turn_log import TurnLog

OLD, NEW = write("import deprecated_module\n"), write("import new_module\n")


async def work(proxy: Served, client: AnthropicClient, **headers: str) -> None:
    while True:
        status, data = await proxy.post(client.request(), **headers)
        assert status == 200, data
        if not client.take(read_message(data)):
            return


async def test_a_task_whose_first_answer_breaks_a_rule_ends_with_the_corrected_file(shop: Path) -> None:
    model = AnthropicModel([[text("I write."), OLD], [NEW], [text("Written.")]])
    async with served(scripted(lambda body: sse(model.answer(body))), shop) as proxy:
        client = AnthropicClient()
        await work(proxy, client)
        assert client.files == {"/home/dev/shop/a.py": "import new_module\n"}
        state = await proxy.state()
        assert state["requests"] == {"inspected": 2, "irrelevant": 0, "unparsed": 0}
        assert (state["answers"], state["retries"], state["active_streams"]) == (3, 1, 0)
        assert summary_text(proxy.server.count) == "3 answers inspected, 1 interrupted"
        async with proxy.client.get(f"{proxy.own}/metrics") as answer:
            assert 'ttsr_proxy_requests_total{coverage="inspected"} 2' in await answer.text()
        assert [type(notice) for notice in proxy.notices] == [AnswerRetried]


async def test_the_hook_server_and_the_proxy_each_have_a_log_of_a_session(shop: Path) -> None:
    root = workspace_root(shop)
    folder = workspace_folder(shop.parent / "state", root)
    hooked = session_file(folder, 1_000, "abc")
    notices: list[ProxyNotice] = []
    with TurnLog.open(hooked, Header(hooked.stem, "claude", str(root), 1_000, "ttsr-ls")):
        sessions = ProxySessions(ProxyWorkspace("claude", shop), ProxyLimits(), notices.append, 1.0)
        log = sessions.get_or_open("abc", 1_000).log
        assert notices == []
        assert isinstance(log, TurnLog)
        assert log.path != hooked
        sessions.close()


async def test_requests_to_other_paths_are_forwarded_unchanged(shop: Path) -> None:
    seen: list[tuple[str, str, bytes, dict[str, str]]] = []

    async def handle(request: web.Request) -> web.StreamResponse:
        seen.append((request.method, request.raw_path, await request.read(), dict(request.headers)))
        return web.Response(status=418, body=b"\x00\xff", headers={"X-Upstream": "kept", "Content-Type": "a/b"})

    async with served(handle, shop) as proxy:
        headers = {"x-api-key": "k", "anthropic-beta": "b1,b2", "User-Agent": "agent/1"}
        url = f"{proxy.url}/v1/models%2Fx?a=%20b"
        from yarl import URL

        async with proxy.client.put(URL(url, encoded=True), data=b"\x01{", headers=headers) as answer:
            assert (answer.status, await answer.read(), answer.headers["X-Upstream"]) == (418, b"\x00\xff", "kept")
    method, path, body, got = seen[0]
    assert (method, path, body) == ("PUT", "/v1/models%2Fx?a=%20b", b"\x01{")
    assert {name: got[name] for name in headers} == headers


async def test_requests_without_the_token_are_refused_and_not_forwarded(shop: Path) -> None:
    async def handle(_: web.Request) -> web.StreamResponse:
        raise AssertionError("nothing may come here")

    async with served(handler=handle, cwd=shop) as proxy:
        base = f"http://127.0.0.1:{proxy.server.port}"
        for path in ("/v1/messages", "/s/wrong/anthropic/v1/messages", "/s/t0ken/elsewhere/v1/messages", "/s/wrong"):
            async with proxy.client.post(base + path, data=b"{}") as answer:
                assert answer.status == 403
        async with proxy.client.post(f"{proxy.url}/v1/messages", headers={"Origin": "https://e.example"}) as answer:
            assert answer.status == 403
        image = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
        async with proxy.client.get(proxy.url, headers=image) as answer:
            assert answer.status == 403
        async with proxy.client.get(f"{base}/s/wrong") as answer:
            assert answer.status == 403


def test_routes_go_to_fixed_addresses_only() -> None:
    routes = ProxyRoutes("t", {"a": "https://api.example"})
    assert routes.resolve_target("/s/t/a/v1/messages?b=1") == ("https://api.example/v1/messages?b=1", "/v1/messages")
    for path in ("/s/t/a/../x", "/s/t/a/%2e%2e/..", "/s/t/a/b%2f..%2fc", "/s/t/ahttps://evil/", "http://evil/s/t/a/"):
        assert routes.resolve_target(path) is None or "evil" not in routes.resolve_target(path)[0].partition("/v1")[0]  # type: ignore[index]
    assert routes.resolve_target("/s/t/a/../x") is None
    for url in ("ftp://x", "https://", "https://user:pw@x", "https://x?key=1"):
        with pytest.raises(UsageError):
            validate_upstream("a", url)


async def test_an_unreadable_request_is_forwarded_and_counted_or_refused(shop: Path) -> None:
    async def handle(_: web.Request) -> web.StreamResponse:
        return web.json_response({"passed": True})

    async with served(handle, shop) as proxy:
        assert await proxy.post(b"{broken") == (200, b'{"passed": true}')
        assert (await proxy.state())["requests"]["unparsed"] == 1
        assert [type(notice) for notice in proxy.notices] == [ProtectionFailed]
    async with served(handle, shop, refuses_unparsed=True) as proxy:
        status, data = await proxy.post(b"{broken")
        assert status == 400
        assert "ttsr-ls refuses this request" in json.loads(data)["error"]["message"]


async def test_a_non_streaming_answer_is_inspected(shop: Path) -> None:
    model = AnthropicModel([[OLD], [NEW]])

    async def handle(request: web.Request) -> web.StreamResponse:
        return web.json_response(model.message(await request.json()))

    async with served(handle, shop) as proxy:
        status, data = await proxy.post(AnthropicClient().request(stream=False))
        assert status == 200
        assert json.loads(data)["content"][0]["input"]["content"] == "import new_module\n"
    assert "Use new_module." in json.dumps(model.requests[1]["messages"])


async def test_a_disconnecting_client_ends_the_upstream_request(shop: Path) -> None:
    event = asyncio.Event()
    started_event = asyncio.Event()

    async def handle(request: web.Request) -> web.StreamResponse:
        try:
            started_event.set()
            return await stream(request, [b": wait\n\n"] * 1000, pause=0.05)
        except (asyncio.CancelledError, ConnectionError):
            event.set()
            raise

    async with served(handle, shop) as proxy:
        asked = asyncio.create_task(proxy.post(AnthropicClient().request()))
        await asyncio.wait_for(started_event.wait(), 60)
        asked.cancel()
        await asyncio.wait_for(event.wait(), 60)


async def test_a_retry_that_is_refused_ends_the_stream_with_an_error_event(shop: Path) -> None:
    model = AnthropicModel([[text("I write."), OLD]])

    async def handle(request: web.Request) -> web.StreamResponse:
        if model.requests:
            return web.json_response({"error": "no"}, status=400)
        return await stream(request, [sse(model.answer(await request.json()))])

    async with served(handle, shop) as proxy:
        _, data = await proxy.post(AnthropicClient().request())
    events = [line for line in data.decode().splitlines() if line.startswith("event: ")]
    assert events[0] == "event: message_start"
    assert events[-1] == "event: error"
    assert "deprecated_module" not in data.decode()


async def test_a_model_that_refuses_system_messages_gets_the_reminder_as_text(shop: Path) -> None:
    model = AnthropicModel([[OLD], [NEW], [text("Written.")]])
    refused: list[int] = []

    async def handle(request: web.Request) -> web.StreamResponse:
        body = await request.json()
        if any(message["role"] == "system" for message in body["messages"]):
            refused.append(len(model.requests))
            return web.json_response({"error": {"message": "role system"}}, status=400)
        return await stream(request, [sse(model.answer(body))])

    async with served(handle, shop) as proxy:
        client = AnthropicClient(model="claude-opus-4-8")
        await work(proxy, client)
    assert client.files == {"/home/dev/shop/a.py": "import new_module\n"}
    assert refused == [1]
    assert "Use new_module." in json.dumps(plain(model.requests[2]["messages"][0]))


async def test_an_interrupted_upstream_stream_interrupts_the_client_stream(shop: Path) -> None:
    async def handle(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        await response.write(sse(AnthropicModel([[text("I write.")]]).answer(json.loads(await request.read())))[:300])
        assert request.transport is not None
        request.transport.abort()
        return response

    async with served(handle, shop) as proxy:
        with pytest.raises(aiohttp.ClientPayloadError):
            await proxy.post(AnthropicClient().request())


async def test_requests_beyond_the_limits_of_size_and_number_are_refused(shop: Path) -> None:
    hold = asyncio.Event()

    async def handle(_: web.Request) -> web.StreamResponse:
        await hold.wait()
        return web.json_response({})

    async with served(handle, shop, limits=ProxyLimits(request=1000, streams=1)) as proxy:
        assert (await proxy.post(b"x" * 2000))[0] == 413
        first = asyncio.create_task(proxy.post(b"{}"))
        while (await proxy.state())["active_streams"] == 0:
            await asyncio.sleep(0.01)
        assert (await proxy.post(b"{}"))[0] == 503
        hold.set()
        await first


async def test_an_upstream_that_cannot_be_reached_is_an_error_with_a_reason(shop: Path) -> None:
    port = free_port()

    async def handle(_: web.Request) -> web.StreamResponse:
        raise AssertionError("nobody asks")

    async with served(handle, shop) as proxy:
        proxy.server._routes = ProxyRoutes("t0ken", {"anthropic": f"http://127.0.0.1:{port}"})
        status, data = await proxy.post(AnthropicClient().request())
    assert status == 502
    assert "cannot reach the model's server" in json.loads(data)["error"]["message"]


async def test_keys_reach_upstream_and_nothing_else(shop: Path, capfd: pytest.CaptureFixture[str]) -> None:
    model = AnthropicModel([[OLD], [NEW], [text("Written.")]])
    keys: list[str | None] = []

    async def handle(request: web.Request) -> web.StreamResponse:
        keys.append(request.headers.get("x-api-key"))
        return await stream(request, [sse(model.answer(await request.json()))])

    async with served(handle, shop) as proxy:
        await work(proxy, AnthropicClient(), **{"x-api-key": "sk-secret"})
        notices = repr([*proxy.notices, await proxy.state()])
    assert keys == ["sk-secret"] * 3
    written = b"".join(path.read_bytes() for path in shop.parent.rglob("*") if path.is_file())
    assert b"new_module" in written
    assert b"sk-secret" not in written
    assert "sk-secret" not in notices + "".join(capfd.readouterr())


def test_hop_by_hop_headers_are_not_forwarded() -> None:
    given = [("Connection", "keep-alive, X-Hop"), ("X-Hop", "1"), ("Host", "h"), ("Content-Length", "3"), ("A", "b")]
    assert request_headers(given, is_inspected=False) == [("A", "b")]
    assert request_headers([("accept-encoding", "zstd")], is_inspected=True) == [("Accept-Encoding", "identity")]
