"""Conversations that continue in another session: after a restart of the proxy, a resumption, or a fork."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bridge.proxy.anthropic_client import AnthropicClient, read_message
from tests.bridge.proxy.anthropic_model import AnthropicModel, plain, sse, text
from tests.bridge.proxy.served import scripted, served
from tests.bridge.proxy.test_proxy_server import NEW, OLD, work


async def test_a_restarted_proxy_applies_the_recorded_edits(shop: Path) -> None:
    model = AnthropicModel([[text("I write the file now, and I use what is there."), OLD], [NEW], [text("Written.")]])
    handler = scripted(lambda body: sse(model.answer(body)))
    client = AnthropicClient()
    headers = {"X-Claude-Code-Session-Id": "abc"}
    async with served(handler, shop) as proxy:
        _, data = await proxy.post(client.request(), **headers)
        client.take(read_message(data))
    async with served(handler, shop) as proxy:
        await work(proxy, client, **headers)
    first, second, *_ = [plain(request["messages"][0]) for request in model.requests[1:]]
    assert "Use new_module." in json.dumps(first)
    assert second == first
    assert len(list((shop.parent / "state" / "ttsr-ls").glob("shop-*/*.jsonl"))) == 1
    # A session that is resumed under another id gets the same edits.
    model.answers = [*model.answers, [text("Bye.")]]
    client.say("And now?")
    async with served(handler, shop) as proxy:
        await work(proxy, client, **{"X-Claude-Code-Session-Id": "other"})
    assert plain(model.requests[3]["messages"][0]) == first


@pytest.mark.parametrize("interrupt_mode", ["always", "never"])
async def test_a_forked_session_does_not_repeat_a_rule_whose_body_its_conversation_has(
    shop: Path, interrupt_mode: str
) -> None:
    (shop / ".omp" / "rules" / "no-old.md").write_text(
        f"---\ncondition: deprecated_module\ninterruptMode: {interrupt_mode}\n---\nUse new_module.\n"
    )
    answers = [[OLD], [NEW], [text("Written.")]] if interrupt_mode == "always" else [[OLD], [text("Written.")]]
    model = AnthropicModel([*answers, [OLD], [text("Written again.")], [OLD], [NEW], [text("Written.")]])
    client = AnthropicClient()
    async with served(scripted(lambda body: sse(model.answer(body))), shop) as proxy:
        await work(proxy, client, **{"X-Claude-Code-Session-Id": "first"})
        notices = len(proxy.notices)
        assert notices == 1
        client.say("And again?")
        await work(proxy, client, **{"X-Claude-Code-Session-Id": "fork"})
        assert json.dumps(model.requests[-1]).count("Use new_module.") == 1
        # A new conversation does not have the body.
        await work(proxy, AnthropicClient(), **{"X-Claude-Code-Session-Id": "new"})
        assert len(proxy.notices) == notices + 1


async def test_a_new_session_with_the_same_prompt_has_no_edits_of_an_earlier_one(shop: Path) -> None:
    model = AnthropicModel([[OLD], [NEW], [text("Written.")], [text("Nothing to do.")], [text("Bye.")]])
    handler = scripted(lambda body: sse(model.answer(body)))
    async with served(handler, shop) as proxy:
        await work(proxy, AnthropicClient(), **{"X-Claude-Code-Session-Id": "first"})
        assert "Use new_module." in json.dumps(model.requests[1])
        again = AnthropicClient()
        await work(proxy, again, **{"X-Claude-Code-Session-Id": "second"})
        again.say("And now?")
        await work(proxy, again, **{"X-Claude-Code-Session-Id": "second"})
    assert len(model.requests) == 5
    assert "Use new_module." not in json.dumps(model.requests[3:])
