"""Rules with a question behind the proxy: the judge is asked through the same upstream, and never hangs an answer."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from tests.bridge.proxy.anthropic_client import AnthropicClient, read_message
from tests.bridge.proxy.anthropic_model import AnthropicModel, sse, text, write
from tests.bridge.proxy.served import served, stream
from ttsr_ls.bridge.model import judge as model_judge
from ttsr_ls.bridge.proxy.proxy_limits import ProxyLimits
from ttsr_ls.bridge.proxy.proxy_notices import FollowUpAdded, ProtectionFailed, ProxyRulesReplaced
from ttsr_ls.cli.proxy.notice_text import summary_text
from ttsr_ls.session.history.suppressed import SuppressedRule, Suppression, TriggersSuppressed
from ttsr_ls.store.log.reader import read_log
from ttsr_ls.store.log.session_dirs import workspace_folder, workspace_root
from ttsr_ls.store.noise_file import StoredNoise, StoredSilence, write_noise

POLITE = "---\nquestion: Is it rude?\nscope: text\n---\nBe polite.\n"
TOOLS = "---\nquestion: Does it write a file?\nscope: tool\n---\nAsk before you write.\n"


@pytest.fixture(autouse=True)
def polite(shop: Path) -> None:
    (shop / ".omp" / "rules" / "no-old.md").unlink()
    (shop / ".omp" / "rules" / "polite.md").write_text(POLITE)


class JudgedUpstream:
    """An upstream with the model and its judge, whose n-th answer is the n-th of `verdicts`."""

    def __init__(self, answers: list[list[dict[str, Any]]], *verdicts: str | int) -> None:
        self.model = AnthropicModel(answers)
        self.judge = AnthropicModel([[text(verdict)] for verdict in verdicts if isinstance(verdict, str)])
        self.verdicts = list(verdicts)
        self.headers: list[dict[str, str]] = []
        self.release = asyncio.Event()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        if body["model"] != "small-judge":
            return await stream(request, [sse(self.model.answer(body))])
        self.headers.append(dict(request.headers))
        verdict = self.verdicts.pop(0)
        if isinstance(verdict, int):
            return web.json_response({"error": "secret words of the model"}, status=verdict)
        if verdict == "":
            await self.release.wait()
        return await stream(request, [sse(self.judge.answer(body))])


async def test_a_judged_rule_is_injected_and_the_same_answer_continues(shop: Path) -> None:
    upstream = JudgedUpstream([[text("No, you fool.")], [text("I am sorry.")]], '{"1": 0.9}', '{"1": 0.0}')
    async with served(upstream.handle, shop, judge="small-judge") as proxy:
        status, data = await proxy.post(AnthropicClient().request(), **{"x-api-key": "k", "anthropic-beta": "b"})
        assert status == 200
        texts = [block["text"] for block in read_message(data)["content"]]
        assert texts == ["No, you fool.", "I am sorry."]
        assert "Be polite." in json.dumps(upstream.model.requests[1]["messages"])
        assert proxy.notices == [FollowUpAdded(("polite",))]
    # A rule warns once in a turn, so the second answer is not judged.
    assert [header["x-api-key"] for header in upstream.headers] == ["k"]
    assert upstream.headers[0]["anthropic-beta"] == "b"
    asked = upstream.judge.requests[0]
    assert "Is it rude?" in json.dumps(asked["messages"])
    assert "tools" not in asked


async def test_a_judged_call_is_not_delayed_and_its_result_carries_the_rule(shop: Path) -> None:
    (shop / ".omp" / "rules" / "polite.md").write_text(TOOLS)
    upstream = JudgedUpstream([[write("x = 1\n")], [text("Written.")]], '{"1": 1}')
    async with served(upstream.handle, shop, judge="small-judge") as proxy:
        client = AnthropicClient()
        while client.take(read_message((await proxy.post(client.request()))[1])):
            pass
        assert "Ask before you write." in json.dumps(upstream.model.requests[1]["messages"])
        assert client.files == {"/home/dev/shop/a.py": "x = 1\n"}


async def test_a_slow_judge_delays_only_the_end_of_an_answer_within_its_time_limit(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_judge.ModelJudge.__init__, "__defaults__", (0.3,))
    upstream = JudgedUpstream([[text("No.")]], "")
    limits = ProxyLimits(keep_alive=0.05)
    async with served(upstream.handle, shop, limits=limits, judge="small-judge") as proxy:
        url = f"{proxy.url}/v1/messages"
        async with proxy.client.post(url, data=AnthropicClient().request()) as answer:
            got = b""
            while b'"No."' not in got and b"content_block_stop" not in got:
                got += await answer.content.readany()
            assert b"message_stop" not in got
            got += await answer.content.read()
        assert read_message(got)["content"][0]["text"] == "No."
        assert got.count(b"event: ping") > 1
        assert proxy.notices == [ProtectionFailed("The judge sent no answer for 0.3 seconds.")]
        upstream.release.set()


async def test_a_judge_that_keeps_failing_is_not_asked_any_more(shop: Path) -> None:
    upstream = JudgedUpstream([[text("No.")]] * 5, 500, 500, 500)
    async with served(upstream.handle, shop, judge="small-judge") as proxy:
        for number in range(5):
            status, data = await proxy.post(AnthropicClient(f"Turn {number}").request())
            assert (status, read_message(data)["content"][0]["text"]) == (200, "No.")
        reasons = [notice.reason for notice in proxy.notices if isinstance(notice, ProtectionFailed)]
    assert reasons[0] == "The judge cannot be asked. The model's server refused with status 500."
    assert "is not asked for 120 seconds" in reasons[3]
    assert len(upstream.headers) == 3


async def test_without_a_judge_no_question_is_asked(shop: Path) -> None:
    upstream = JudgedUpstream([[text("No.")]])
    async with served(upstream.handle, shop) as proxy:
        assert (await proxy.post(AnthropicClient().request()))[0] == 200
    assert upstream.headers == []


async def test_a_silenced_rule_that_the_judge_finds_broken_is_counted_as_suppressed(shop: Path) -> None:
    logs = workspace_folder(shop.parent / "state", workspace_root(shop))
    logs.mkdir(parents=True)
    write_noise(logs, StoredNoise((StoredSilence("polite"),)))
    upstream = JudgedUpstream([[text("No, you fool.")]], '{"1": 0.9}')
    async with served(upstream.handle, shop, judge="small-judge") as proxy:
        await proxy.post(AnthropicClient().request(), **{"x-api-key": "k"})
        assert proxy.notices == []
        count = proxy.server.count
    assert summary_text(count) == "1 answer inspected, none interrupted, 1 suppressed trigger"
    (log,) = logs.glob("*.jsonl")
    events = [record.event for record in read_log(log).records]
    assert [event.rules for event in events if isinstance(event, TriggersSuppressed)] == [
        (SuppressedRule("polite", Suppression.SILENCED, 1),)
    ]


async def test_changed_rules_are_reported_once_behind_the_proxy(shop: Path) -> None:
    upstream = JudgedUpstream([[text("Yes.")], [text("Yes.")], [text("Yes.")]], '{"1": 0}', '{"1": 0}', '{"1": 0}')
    client = AnthropicClient()
    async with served(upstream.handle, shop, judge="small-judge") as proxy:
        await proxy.post(client.request(), **{"x-api-key": "k"})
        (shop / ".omp" / "rules" / "no-yes.md").write_text("---\ncondition: '('\n---\nSay no.\n")
        (shop / ".omp" / "rules" / "polite.md").write_text(POLITE.replace("rude", "impolite"))
        for _ in range(2):
            await proxy.post(client.request(), **{"x-api-key": "k"})
    (notice,) = proxy.notices
    assert isinstance(notice, ProxyRulesReplaced)
    assert notice.text.startswith("Rules were read again: changed polite. The rule no-yes is not in force (")
