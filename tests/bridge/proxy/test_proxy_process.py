"""`ttsr-ls proxy` as a process: it is killed in the middle of a turn, and another goes on."""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.bridge.proxy.anthropic_client import AnthropicClient, read_message
from tests.bridge.proxy.anthropic_model import AnthropicModel, plain, sse, text, thinking, write
from tests.bridge.proxy.proxied import NO_OLD
from tests.bridge.proxy.validating_server import ModelServer

ROOT = Path(__file__).parents[3]
PATH_KEY = "k" * 24


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    shop = tmp_path / "shop"
    (shop / ".omp" / "rules").mkdir(parents=True)
    (shop / ".git").mkdir()
    (shop / ".omp" / "rules" / "no-old.md").write_text(NO_OLD)
    return shop


@contextmanager
def proxy_process(
    shop: Path, upstream: str, *options: str, name: str = "state"
) -> Iterator[tuple[subprocess.Popen[str], int]]:
    home = str(shop.parent)
    environ = {"PATH": os.environ["PATH"], "HOME": home, "XDG_STATE_HOME": f"{home}/{name}", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "ttsr_ls", "proxy", "--port", "0", "--upstream", f"anthropic={upstream}", *options]
    process = subprocess.Popen(
        command, cwd=shop, env={**environ, "TTSR_PROXY_TOKEN": PATH_KEY}, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        found = re.search(r"1 rule for agents in .*, on 127\.0\.0\.1:(\d+)", line)
        assert found, line
        yield process, int(found[1])
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def ask(port: int, body: bytes) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        headers = {"X-Claude-Code-Session-Id": "abc", "Content-Type": "application/json"}
        connection.request("POST", f"/s/{PATH_KEY}/anthropic/v1/messages", body, headers)
        answer = connection.getresponse()
        assert answer.status == 200
        return answer.read()
    finally:
        connection.close()


def test_a_proxy_that_is_killed_in_the_middle_of_a_retry_loses_no_committed_injection(shop: Path) -> None:
    old, new = write("import deprecated_module\n"), write("import new_module\n")
    answers = [[thinking("Old."), old], [text("Lost.")], [thinking("New."), new], [text("Written.")]]
    model = AnthropicModel(answers)
    server = ModelServer(model, sse)
    client = AnthropicClient()
    lost: list[BaseException] = []

    def first(port: int) -> None:
        try:
            ask(port, client.request())
        except (http.client.HTTPException, OSError) as error:
            lost.append(error)

    server.stalls[1] = threading.Event()
    try:
        with proxy_process(shop, server.url) as (process, port):
            asking = threading.Thread(target=first, args=[port])
            asking.start()
            assert server.arrived.wait(30)
            process.kill()
            asking.join()
        server.stalls.pop(1).set()
        assert lost
        with proxy_process(shop, server.url) as (_, port):
            while client.take(read_message(ask(port, client.request()))):
                pass
        assert server.refusals == []
    finally:
        server.close()
    assert client.files == {"/home/dev/shop/a.py": "import new_module\n"}
    # The client's own retry has the reminder from the start, at the place that it had.
    retry, again, last = [plain(request["messages"][0]) for request in model.requests[1:]]
    assert "Use new_module." in json.dumps(retry)
    assert again == retry
    assert last == retry
