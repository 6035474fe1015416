"""Connections to endpoints: proxies of the environment, no credentials of ~/.netrc, and time limits."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.bridge.model.loopback import byte_server, provider
from tests.bridge.wire.provider_answers import answer
from ttsr_ls.bridge.model.client import HttpModel
from ttsr_ls.bridge.model.endpoint import Endpoint, ModelError, Timeouts
from ttsr_ls.bridge.model.proxies import proxy_for
from ttsr_ls.bridge.model.request import ModelRequest, request_body, user_message
from ttsr_ls.session.history.turn_output import Text
from ttsr_ls.session.output.wire_events import Api


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


async def ask(at: Endpoint, key: str | None = None) -> list[dict[str, Any]]:
    model = HttpModel(at, key)
    try:
        return [event async for event in model.stream(ModelRequest((user_message(at.api, "Hello?"),)))]
    finally:
        await model.close()


@pytest.mark.parametrize("api", list(Api))
async def test_credentials_of_netrc_are_not_sent(api: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    netrc = tmp_path / ".netrc"
    netrc.write_text("machine 127.0.0.1 login me password hidden\ndefault login me password hidden\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(netrc))
    async with provider(answer(api, [Text("Yes.")])) as server:
        await ask(Endpoint(api, server.url, "m-1", None))
    (asked,) = server.asked
    assert "authorization" not in asked.headers


@asynccontextmanager
async def proxy(events: list[dict[str, Any]]) -> AsyncIterator[tuple[str, list[str]]]:
    """A proxy that answers requests itself: its address, and the first lines of the requests."""
    asked: list[str] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append((await reader.readuntil(b"\r\n\r\n")).decode())
        data = "".join(f"data: {json.dumps(event)}\n\n" for event in events).encode()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n" + data)
        await writer.drain()
        writer.close()

    async with byte_server(serve) as address:
        yield address, asked


async def test_a_proxy_of_the_environment_is_used_with_its_own_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    events = answer(Api.OPENAI_CHAT, [Text("Yes.")])
    async with proxy(events) as (address, asked):
        monkeypatch.setenv("http_proxy", f"http://user:word@{address}")
        assert await ask(Endpoint(Api.OPENAI_CHAT, "http://model.invalid/v1", "m-1", None)) == events
    assert asked[0].startswith("POST http://model.invalid/v1/chat/completions ")
    assert "proxy-authorization: basic dxnlcjp3b3jk" in asked[0].lower()


def test_hosts_in_no_proxy_are_asked_directly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy:3128")
    monkeypatch.setenv("no_proxy", "localhost,.inside.example")
    assert proxy_for("https://api.example/v1") == "http://proxy:3128"
    assert proxy_for("https://me:word@api.example/v1") == "http://proxy:3128"
    assert proxy_for("https://model.inside.example/v1") is None
    assert proxy_for("https://localhost:8080/v1") is None
    assert proxy_for("http://api.example/v1") is None


async def test_an_endless_answer_exceeds_the_total_timeout() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 1000000\r\n\r\n")
        try:
            while True:
                writer.write(b": still here\n\n")
                await writer.drain()
                await asyncio.sleep(0.02)
        except ConnectionError:
            writer.close()

    async with byte_server(serve) as address:
        endpoint = Endpoint(
            Api.OPENAI_CHAT, f"http://{address}", "m-1", None, timeouts=Timeouts(connect=60, idle=60, total=0.3)
        )
        with pytest.raises(ModelError, match=r"was not done after 0\.3 seconds"):
            await asyncio.wait_for(ask(endpoint), 60)


@pytest.mark.parametrize(
    ("api", "url", "limit", "expected"),
    [
        (Api.ANTHROPIC, "http://x", None, {"max_tokens": 16_000}),
        (Api.ANTHROPIC, "http://x", 50, {"max_tokens": 50}),
        (Api.OPENAI_CHAT, "http://x", None, {}),
        (Api.OPENAI_CHAT, "http://x", 50, {"max_tokens": 50}),
        (Api.OPENAI_CHAT, "https://api.openai.com/v1", 50, {"max_completion_tokens": 50}),
        (Api.OPENAI_RESPONSES, "http://x", None, {}),
        (Api.OPENAI_RESPONSES, "http://x", 50, {"max_output_tokens": 50}),
        (Api.GEMINI, "http://x", None, {}),
    ],
)
def test_the_answer_limit_is_sent_under_the_name_of_the_api(
    api: Api, url: str, limit: int | None, expected: dict[str, int]
) -> None:
    sent = request_body(Endpoint(api, url, "m-1", None, limit), ModelRequest((user_message(api, "Hello?"),)))
    assert {name: value for name, value in sent.items() if "max" in name} == expected
