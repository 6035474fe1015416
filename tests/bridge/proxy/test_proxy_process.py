"""`ttsr-ls proxy` as a process: it is killed in the middle of a turn, and another goes on."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from tests.bridge.proxy.anthropic_client import AnthropicClient, read_message
from tests.bridge.proxy.anthropic_model import AnthropicModel, plain, sse, text, thinking, write
from tests.bridge.proxy.proxy_processes import ask, killed_in_answer, proxy_process
from tests.bridge.proxy.validating_server import ModelServer


def test_a_proxy_that_is_killed_in_the_middle_of_a_retry_loses_no_committed_injection(shop: Path) -> None:
    old, new = write("import deprecated_module\n"), write("import new_module\n")
    answers = [[thinking("Old."), old], [text("Lost.")], [thinking("New."), new], [text("Written.")]]
    model = AnthropicModel(answers)
    server = ModelServer(model, sse)
    client = AnthropicClient()
    try:
        with proxy_process(shop, server.url) as (process, port):
            killed_in_answer(process, port, server, client)
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


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_the_exit_status_says_which_signal_ended_the_proxy(shop: Path, number: int, status: int) -> None:
    with proxy_process(shop, "http://127.0.0.1:9") as (process, _):
        process.send_signal(number)
        assert process.wait(60) == status
