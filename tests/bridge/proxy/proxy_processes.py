"""`ttsr-ls proxy` as a process, requests to it, and a client whose first request it does not survive."""

from __future__ import annotations

import http.client
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bridge.proxy.anthropic_client import AnthropicClient
from tests.bridge.proxy.validating_server import ModelServer

ROOT = Path(__file__).parents[3]
PATH_KEY = "k" * 24


@contextmanager
def proxy_process(
    shop: Path, upstream: str, *options: str, name: str = "state", rules: int = 1, port: int = 0
) -> Iterator[tuple[subprocess.Popen[str], int]]:
    home = str(shop.parent)
    environ = {"PATH": os.environ["PATH"], "HOME": home, "XDG_STATE_HOME": f"{home}/{name}", "PYTHONPATH": str(ROOT)}
    command = [
        sys.executable,
        "-m",
        "ttsr_ls",
        "proxy",
        "--port",
        str(port),
        "--upstream",
        f"anthropic={upstream}",
        *options,
    ]
    process = subprocess.Popen(
        command, cwd=shop, env={**environ, "TTSR_PROXY_TOKEN": PATH_KEY}, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        match = re.search(rf"{rules} rules? for agents in .*, on 127\.0\.0\.1:(\d+)", line)
        assert match, line
        yield process, int(match[1])
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


def killed_in_answer(process: subprocess.Popen[str], port: int, server: ModelServer, client: AnthropicClient) -> None:
    """Kills the proxy while the model holds the second answer back: the client's request is lost."""
    exceptions: list[BaseException] = []

    def first() -> None:
        try:
            ask(port, client.request())
        except (http.client.HTTPException, OSError) as error:
            exceptions.append(error)

    stall = server.stalls[1] = threading.Event()
    asking = threading.Thread(target=first)
    asking.start()
    assert server.arrived.wait(120)
    process.kill()
    asking.join()
    del server.stalls[1]
    stall.set()
    assert exceptions
