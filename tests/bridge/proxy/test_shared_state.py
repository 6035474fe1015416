"""Two proxies share sessions through a real Redis on loopback."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest
import redis

from tests.bridge.proxy.anthropic_client import AnthropicClient, read_message
from tests.bridge.proxy.anthropic_model import AnthropicModel, plain, sse, text, thinking, write
from tests.bridge.proxy.proxy_processes import ask, killed_in_answer, proxy_process
from tests.bridge.proxy.validating_server import ModelServer
from tests.loopback_ports import free_port
from ttsr_ls.bridge.proxy.ledger.entry import ToolEntry
from ttsr_ls.bridge.proxy.ledger.shared_entry import SharedEntry
from ttsr_ls.bridge.proxy.serving.shared_state import SharedState
from ttsr_ls.errors import UsageError
from ttsr_ls.store.log.errors import LogWriteError


@pytest.fixture
def state(tmp_path: Path) -> Iterator[str]:
    """The address of a Redis server that accepts connections."""
    port = free_port()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)]
    server = subprocess.Popen([os.environ["TTSR_REDIS"], *options], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        startup_lines = takewhile(lambda line: "Ready to accept connections" not in line, server.stdout)
        assert len(list(startup_lines)) < 100
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.kill()
        server.wait()
        server.stdout.close()


def test_another_process_continues_the_session_of_a_killed_one(shop: Path, state: str) -> None:
    old, new = write("import deprecated_module\n"), write("import new_module\n")
    model = AnthropicModel([[thinking("Old."), old], [text("Lost.")], [thinking("New."), new], [text("Written.")]])
    server = ModelServer(model, sse)
    client = AnthropicClient()
    # Each has a folder for its own logs, as on machines of their own: only Redis is shared.
    options = ("--state", state)
    try:
        with (
            proxy_process(shop, server.url, *options, name="one") as (process, port),
            proxy_process(shop, server.url, *options, name="two") as (_, other),
        ):
            killed_in_answer(process, port, server, client)
            while client.take(read_message(ask(other, client.request()))):
                pass
        assert server.refusals == []
    finally:
        server.close()
    assert client.files == {"/home/dev/shop/a.py": "import new_module\n"}
    retry, again, last = [plain(request["messages"][0]) for request in model.requests[1:]]
    assert "Use new_module." in json.dumps(retry)
    assert again == retry
    assert last == retry


def test_requests_of_one_session_may_alternate_between_processes(shop: Path, state: str) -> None:
    old, new = write("import deprecated_module\n"), write("import new_module\n")
    answers = [
        [thinking("Old."), text("I look at the modules first."), old],
        [thinking("New."), new],
        [text("Written.")],
    ]
    model = AnthropicModel([*answers, [text("Bye.")], [text("Really.")]])
    server = ModelServer(model, sse)
    client = AnthropicClient()
    options = ("--state", state)
    try:
        with (
            proxy_process(shop, server.url, *options, name="one") as (_, one),
            proxy_process(shop, server.url, *options, name="two") as (_, two),
        ):
            for port in (one, two, one, two):
                if not client.take(read_message(ask(port, client.request()))):
                    client.say("And now?")
        assert server.refusals == []
    finally:
        server.close()
    firsts = [plain(request["messages"][0]) for request in model.requests[1:]]
    assert len(firsts) == 4
    assert all(first == firsts[0] for first in firsts)


def test_a_lost_redis_is_reported_and_nothing_is_committed(state: str) -> None:
    shared = SharedState(state, "shop")
    entries = shared.entries("abc")
    entry = SharedEntry(ToolEntry("t1", "Use new_module."), ("no-old",), "main")
    entries.append(entry)
    assert entries.read() == [entry]
    assert entries.read() == []
    shared.close()
    with redis.Redis.from_url(state) as client:
        client.shutdown(nosave=True)
    with pytest.raises(LogWriteError, match="the shared state cannot be written"):
        entries.append(entry)
    with pytest.raises(LogWriteError, match="cannot be read"):
        entries.read()
    with pytest.raises(UsageError, match="the state cannot be shared"):
        SharedState(state, "shop")
