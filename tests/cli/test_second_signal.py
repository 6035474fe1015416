"""A second signal ends a busy `proxy`, `hooks serve`, or `agent` immediately: no stack trace, and logs closed."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tests.bridge.proxy.anthropic_client import AnthropicClient
from tests.bridge.proxy.anthropic_model import AnthropicModel, sse, text
from tests.bridge.proxy.proxy_processes import PATH_KEY, ask
from tests.bridge.proxy.validating_server import ModelServer
from tests.cli.command import environment
from tests.loopback_ports import free_port
from tests.processor_time import is_below
from ttsr_ls.session.history.turn_events import TurnEnded, TurnStarted
from ttsr_ls.store.hook_server_file import hook_server_address
from ttsr_ls.store.log.reader import read_log
from ttsr_ls.store.log.session_dirs import all_session_files, is_being_written

AT_ONCE = 2.0
Busy = Callable[["Project"], subprocess.Popen[str]]


class Project:
    """A folder with a home of its own. `stack` closes what a test opens there."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self.state = folder / "state"
        self.stack = stack

    def start(self, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "ttsr_ls", *arguments]
        environ = environment(HOME=str(self.folder), XDG_STATE_HOME=str(self.state), **variables)
        pipe = subprocess.PIPE
        process = subprocess.Popen(
            command, cwd=self.folder, env=environ, stdin=pipe, stdout=pipe, stderr=pipe, text=True
        )
        self.stack.enter_context(process)
        self.stack.callback(process.kill)
        return process


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / ".omp" / "rules").mkdir(parents=True)
    (tmp_path / ".omp" / "rules" / "no-old.md").write_text("---\ncondition: deprecated_module\n---\nUse new_module.\n")
    with ExitStack() as stack:
        yield Project(tmp_path, stack)


def busy_proxy(project: Project) -> subprocess.Popen[str]:
    """A proxy whose model does not answer."""
    server = ModelServer(AnthropicModel([[text("Late.")]]), sse)
    stall = server.stalls[0] = threading.Event()
    project.stack.callback(server.close)
    project.stack.callback(stall.set)
    process = project.start("proxy", "--upstream", f"anthropic={server.url}", "--port", "0", TTSR_PROXY_TOKEN=PATH_KEY)
    assert process.stdout is not None
    port = int(process.stdout.readline().partition("127.0.0.1:")[2].partition(".")[0].split()[0])

    def client() -> None:
        with suppress(http.client.HTTPException, OSError, AssertionError):
            ask(port, AnthropicClient().request())

    asking = threading.Thread(target=client)
    asking.start()
    project.stack.callback(asking.join)
    assert server.arrived.wait(60)
    return process


def busy_hooks(project: Project) -> subprocess.Popen[str]:
    """A hook server with an open session, and a request that was sent only in part."""
    address = hook_server_address(project.state, free_port())
    process = project.start("hooks", "serve")
    assert process.stdout is not None
    assert "Serving hooks" in process.stdout.readline()
    call = {"session_id": "s1", "cwd": str(project.folder), "hook_event_name": "UserPromptSubmit", "prompt": "Go"}
    connection = http.client.HTTPConnection("127.0.0.1", address.port, timeout=60)
    project.stack.callback(connection.close)
    connection.request("POST", "/claude", json.dumps(call), {"Authorization": f"Bearer {address.token}"})
    assert connection.getresponse().read() == b"{}"
    half = project.stack.enter_context(socket.create_connection(("127.0.0.1", address.port)))
    head = f"POST /claude HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {address.token}\r\nContent-Length: 99\r\n\r\n{{"
    half.sendall(head.encode())
    return process


def busy_agent(project: Project) -> subprocess.Popen[str]:
    """An agent that runs a command which ignores signals."""
    os.mkfifo(project.folder / "begun")
    command = "trap '' TERM INT HUP; echo > begun; sleep 300"
    answer = [{"tool": "bash", "arguments": {"command": command}}]
    (project.folder / "script.yaml").write_text(json.dumps({"answers": [answer, answer]}))
    process = project.start("agent", "--script", "script.yaml", "--yes", "-p", "go", "-p", "again")
    (project.folder / "begun").read_text()
    return process


@pytest.mark.parametrize("numbers", [(signal.SIGINT, signal.SIGINT), (signal.SIGINT, signal.SIGTERM)])
@pytest.mark.parametrize("busy", [busy_proxy, busy_hooks, busy_agent])
def test_a_second_signal_ends_a_command_immediately(project: Project, busy: Busy, numbers: tuple[int, int]) -> None:
    process = busy(project)
    (log,) = all_session_files(project.state)
    assert is_being_written(log)
    since = time.perf_counter()
    process.send_signal(numbers[0])
    while True:  # A signal that comes before the last one was taken is lost.
        process.send_signal(numbers[1])
        with suppress(subprocess.TimeoutExpired):
            _, err = process.communicate(timeout=0.02)
            break
    took = time.perf_counter() - since
    assert is_below(took, AT_ONCE, time.perf_counter), took
    assert "Traceback" not in err
    assert err == ""
    # The last signal may come when the program no longer handles signals.
    assert process.returncode in (130, 0, 143, -signal.SIGINT, -signal.SIGTERM)
    assert not is_being_written(log)
    content = read_log(log)
    assert content.problems == ()
    turns = [each.event for each in content.records if isinstance(each.event, TurnStarted | TurnEnded)]
    assert isinstance(turns[-1], TurnEnded)
