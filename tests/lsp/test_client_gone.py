"""The server ends when the process of its client does, even while another process holds its pipes open."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.fork_server import program
from tests.lsp.test_surviving_clients import INITIALIZE, INVALID_PARAMS, wire
from ttsr_ls.lsp.transport import client_process


def editor() -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)


@pytest.mark.parametrize("full", [False, True])
def test_the_server_exits_with_its_client_if_its_input_stays_open(tmp_path: Path, full: bool) -> None:
    with editor() as client, wire(tmp_path, program("serve")) as server:
        assert "result" in server.ask(1, "initialize", {**INITIALIZE, "processId": client.pid})
        if full:  # Answers that nobody reads fill the pipe, and the server waits for room.
            for number in range(3000):
                server.send(id=number, method="x" * 100, params={})
                if number % 100 == 0:
                    time.sleep(0.01)
                if number > 500:
                    break
        assert server.process.poll() is None
        client.kill()
        client.wait()
        assert server.process.wait(60) == 1


@pytest.mark.parametrize("process_id", [2**31 - 2, 2**63, -1, 0])
def test_a_client_with_an_unknown_process_id_is_served(tmp_path: Path, process_id: int) -> None:
    with wire(tmp_path, program("serve")) as server:
        answer = server.ask(1, "initialize", {**INITIALIZE, "processId": process_id})
        time.sleep(0.5)
        if "result" in answer:
            assert server.ask(2, "textDocument/hover", {})["error"]["code"] == INVALID_PARAMS
        assert server.process.poll() is None


def test_the_end_of_a_process_is_polled_if_the_system_does_not_report_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pidfd_open", raising=False)
    seen: list[bool] = []
    with editor() as client:
        client_process.watch_process(client.pid, lambda: seen.append(True), interval=0.01)
        time.sleep(0.1)
        assert not seen
        client.kill()
    deadline = time.monotonic() + 60
    while not seen and time.monotonic() < deadline:
        time.sleep(0.01)
    assert seen
