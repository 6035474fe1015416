"""Uninspected requests are recorded, so that `sessions show` and editors report them."""

from __future__ import annotations

from pathlib import Path

import pytest
from aiohttp import web

from tests.bridge.proxy.anthropic_client import AnthropicClient
from tests.bridge.proxy.anthropic_model import AnthropicModel, sse, text
from tests.bridge.proxy.served import served, stream
from ttsr_ls.cli.main import main
from ttsr_ls.session.history.turn_events import RequestNotInspected, RequestsCounted
from ttsr_ls.store.log.reader import read_log

SESSION = {"X-Claude-Code-Session-Id": "abc"}


class Upstream:
    """Answers requests of agents with one word, and all others with an empty object."""

    def __init__(self) -> None:
        self.model = AnthropicModel([[text("Yes.")]] * 9)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        if b'"input_schema"' in await request.read():
            return await stream(request, [sse(self.model.answer(await request.json()))])
        return web.json_response({})


def found(shop: Path) -> list[RequestNotInspected | RequestsCounted]:
    (log,) = (shop.parent / "state" / "ttsr-ls").glob("shop-*/*.jsonl")
    events = (record.event for record in read_log(log).records)
    return [event for event in events if isinstance(event, RequestNotInspected | RequestsCounted)]


@pytest.mark.parametrize("refuses", [False, True])
async def test_an_unparsed_request_is_recorded_in_its_session(shop: Path, *, refuses: bool) -> None:
    async with served(Upstream().handle, shop, refuses_unparsed=refuses) as proxy:
        await proxy.post(b"{broken", **SESSION)
    reason = "it is no JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"
    assert found(shop) == [RequestNotInspected(reason, refuses), RequestsCounted(0, 0, 1, refuses)]


async def test_request_counts_are_recorded_when_a_turn_ends(shop: Path) -> None:
    async with served(Upstream().handle, shop) as proxy:
        await proxy.post(AnthropicClient().request(), **SESSION)
        await proxy.post(AnthropicClient().request(tools=[]), **SESSION)
        await proxy.post(AnthropicClient("And now?").request(), **SESSION)
    counts = [(1, 0), (1, 1), (2, 1)]
    assert found(shop) == [RequestsCounted(count, irrelevant, 0, False) for count, irrelevant in counts]


async def test_sessions_show_reports_uninspected_requests(
    shop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with served(Upstream().handle, shop) as proxy:
        await proxy.post(AnthropicClient().request(), **SESSION)
        await proxy.post(b"[]", **SESSION)
    monkeypatch.chdir(shop)
    assert main(["sessions", "show"]) == 0
    shown = capsys.readouterr().out
    assert "a request was passed on WITHOUT protection: it is no JSON object" in shown
    assert "requests: 1 inspected, 1 NOT inspected (unreadable requests are passed on)" in shown
