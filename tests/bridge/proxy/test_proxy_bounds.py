"""The limits of the proxy: retries, a full disk, changed rules, many streams, and the cost of an event."""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from tests.bridge.proxy.anthropic_client import AnthropicClient, read_events, read_message
from tests.bridge.proxy.anthropic_model import AnthropicModel, sse, text, write
from tests.bridge.proxy.proxied import NO_DONE, NO_OLD, Proxied, run
from tests.bridge.proxy.served import scripted, served, stream
from tests.bridge.watch.watching import MemoryLog
from ttsr_ls.bridge.proxy.proxy_limits import ProxyLimits
from ttsr_ls.bridge.proxy.proxy_notices import AnswerRetried, ProtectionFailed, ReminderAdded
from ttsr_ls.rules.settings.settings import RepeatMode, Settings

OLD, NEW = write("import deprecated_module\n"), write("import new_module\n")
AGAIN = Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=0)


def test_a_rule_that_exceeds_its_retry_limit_only_reminds() -> None:
    proxied = Proxied({"no_old": NO_OLD}, AGAIN)
    client = run(proxied, [[OLD], [OLD], [OLD], [NEW], [text("Written.")]])
    kinds = [type(notice) for notice in proxied.notices]
    assert kinds == [AnswerRetried, AnswerRetried, ReminderAdded, ReminderAdded]
    assert proxied.notices[2] == ReminderAdded(("no-old",), is_degraded=True)
    # The third violation went through, and its result carries the reminder.
    assert client.files == {"/home/dev/shop/a.py": "import new_module\n"}
    result = json.loads(proxied.sent[3])["messages"][-1]["content"][0]
    assert result["type"] == "tool_result"
    assert "Use new_module." in json.dumps(result)


def test_the_retry_limit_is_counted_per_turn() -> None:
    proxied = Proxied({"no_old": NO_OLD}, AGAIN, ProxyLimits(retries_per_rule=1))
    client = run(proxied, [[OLD], [NEW], [text("Written.")]])
    client.say("Once more.")
    run(proxied, [[OLD], [NEW], [text("Written.")]], client)
    assert [type(notice) for notice in proxied.notices] == [AnswerRetried, AnswerRetried]


@pytest.mark.parametrize("failing", range(3, 8))
def test_an_interrupt_that_cannot_be_recorded_has_no_effect(failing: int) -> None:
    """For a failure at each record of the interrupt: the answer is forwarded unchanged, or interrupted as recorded."""
    log = MemoryLog(fails=[failing])
    proxied = Proxied({"no_old": NO_OLD}, log=log)
    model = AnthropicModel([[OLD], [NEW]])
    client = AnthropicClient()
    got = proxied.ask(client.request(), lambda body: sse(model.answer(json.loads(body))))
    message = read_message(got)
    is_retried = len(proxied.sent) == 2
    injected = [event for event in log.events if type(event).__name__ == "InjectionCommitted"]
    assert is_retried == bool(injected)
    expected = "new_module" if is_retried else "deprecated_module"
    assert expected in message["content"][0]["input"]["content"]
    assert is_retried or any(isinstance(notice, ProtectionFailed) for notice in proxied.notices)


async def test_changed_rules_apply_to_the_next_request(shop: Path) -> None:
    model = AnthropicModel([[text("It is all done.")], [text("It is all done.")], [text("I ran the tests.")]])
    async with served(scripted(lambda body: sse(model.answer(body))), shop) as proxy:
        client = AnthropicClient()
        _, data = await proxy.post(client.request())
        assert read_message(data)["content"] == [text("It is all done.")]
        (shop / ".omp" / "rules" / "no-done.md").write_text(NO_DONE)
        client.say("And now?")
        _, data = await proxy.post(client.request())
        assert read_message(data)["content"][-1] == text("I ran the tests.")


async def test_without_rules_the_answer_is_not_split_into_frames(shop: Path) -> None:
    (shop / ".omp" / "rules" / "no-old.md").unlink()
    pieces = [b"data: {half", b" of something}\n", b"\n\xff\xfe"]

    async def handle(request: web.Request) -> web.StreamResponse:
        return await stream(request, pieces)

    async with served(handle, shop) as proxy:
        assert await proxy.post(AnthropicClient().request()) == (200, b"".join(pieces))


async def test_two_hundred_streams_lose_no_event(shop: Path) -> None:
    async def handle(request: web.Request) -> web.StreamResponse:
        body: dict[str, Any] = await request.json()
        return await stream(request, pieces_of(body["messages"][0]["content"][0]["text"]), pause=0.01)

    def pieces_of(name: str) -> list[bytes]:
        frames = sse(AnthropicModel([[text(f"{name} says something. " * 5)]]).answer(body_of(name))).split(b"\n\n")
        return [frame + b"\n\n" for frame in frames if frame]

    def body_of(name: str) -> dict[str, Any]:
        return json.loads(AnthropicClient(name).request())

    async with served(handle, shop) as proxy:
        names = [f"stream {number}" for number in range(200)]
        answers = await asyncio.gather(*(proxy.post(AnthropicClient(name).request()) for name in names))
    for name, (status, data) in zip(names, answers, strict=True):
        assert status == 200
        assert data == b"".join(pieces_of(name))
        assert len(read_events(data)) > 10


@pytest.mark.unmeasured
def test_an_event_takes_little_processor_time() -> None:
    """Time of the processor, not of the clock: other programs on the machine do not count."""
    rules = {f"r{number}": f"---\ncondition: 'never{number}\\b'\n---\nNo.\n" for number in range(10)}
    proxied = Proxied(rules, limits=ProxyLimits(window=0))
    client = AnthropicClient()
    exchange = proxied.exchange(client.request())
    model = AnthropicModel([[text("word at the place and so on, again. " * 400)]])
    frames = [frame + b"\n\n" for frame in sse(model.answer(json.loads(client.request()))).split(b"\n\n") if frame]
    taken = []
    for frame in frames:
        before = time.thread_time_ns()
        exchange.feed(frame, 3)
        taken.append((time.thread_time_ns() - before) / 1000)
    cuts = statistics.quantiles(taken, n=100)
    assert len(taken) > 3000
    assert cuts[49] < 200
    assert cuts[98] < 1000


async def test_ast_conditions_interrupt_behind_the_proxy(shop: Path) -> None:
    rule = "---\nastCondition: 'exec($CODE)'\nscope: tool:write(*.py)\n---\nDo not exec.\n"
    (shop / ".omp" / "rules" / "no-old.md").write_text(rule)
    model = AnthropicModel([[write("exec(  'x')\n")], [NEW], [text("Written.")]])
    async with served(scripted(lambda body: sse(model.answer(body))), shop) as proxy:
        client = AnthropicClient()
        for _ in range(2):
            _, data = await proxy.post(client.request())
            client.take(read_message(data))
    assert client.files == {"/home/dev/shop/a.py": "import new_module\n"}
    assert "Do not exec." in json.dumps(model.requests[1]["messages"])


async def test_a_client_that_does_not_read_is_disconnected(shop: Path) -> None:
    event = asyncio.Event()
    block = b": " + b"x" * 65536 + b"\n\n"

    async def handle(request: web.Request) -> web.StreamResponse:
        try:
            return await stream(request, [block] * 2000)
        finally:
            event.set()

    async with served(handle, shop, limits=ProxyLimits(client=0.3)) as proxy:
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.server.port, limit=1024)
        body = AnthropicClient().request()
        head = f"POST {proxy.url.partition(str(proxy.server.port))[2]}/v1/messages HTTP/1.1\r\nHost: h\r\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        await reader.readline()
        await asyncio.wait_for(event.wait(), 60)
        assert (await proxy.state())["upstream_errors"] >= 0
        writer.close()
        while (await proxy.state())["active_streams"]:
            await asyncio.sleep(0.05)
