"""Whatever a client sends, each request is answered, nothing pops up, and the process ends as it should."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.fork_server import program
from tests.lsp.conformance.message_checker import MessageChecker
from tests.lsp.talk import ROOT

INVALID_PARAMS, METHOD_NOT_FOUND, INVALID_REQUEST, PARSE_ERROR = -32602, -32601, -32600, -32700
NOT_INITIALIZED, REQUEST_CANCELLED = -32002, -32800
SERVE = (sys.executable, "-m", "ttsr_ls", "serve")
STDERR = "stderr"
"""The file in the folder of a server that has its standard error."""
INITIALIZE: dict[str, object] = {"processId": None, "rootUri": None, "capabilities": {}}


class Wire:
    """A server process, and bytes to and from it. What it sends is checked against the protocol."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process, self.stdin, self._stdout = process, process.stdin, process.stdout
        self.seen: list[dict[str, Any]] = []
        self.checker = MessageChecker()

    def send(self, **message: Any) -> None:
        self.raw(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def raw(self, body: bytes) -> None:
        with suppress(ValueError, RecursionError):
            message = json.loads(body)
            if isinstance(message, dict):
                self.checker.sent(message)
        self.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.stdin.flush()

    def answer(self, identity: object) -> dict[str, Any]:
        """The next answer to a request; what comes before is kept in `seen`."""
        while True:
            message = self.receive()
            if "method" not in message and message["id"] == identity:
                return message
            self.seen.append(message)

    def ask(self, identity: object, method: object, params: object = None) -> dict[str, Any]:
        self.send(id=identity, method=method, params=params)
        return self.answer(identity)

    def receive(self) -> dict[str, Any]:
        length = 0
        while line := self._stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        assert length, "the server went away"
        message: dict[str, Any] = json.loads(self._stdout.read(length))
        self.checker.received(message)
        return message


@contextmanager
def wire(tmp_path: Path, command: Sequence[str] = SERVE) -> Iterator[Wire]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    pipe = subprocess.PIPE
    with (tmp_path / STDERR).open("wb") as err:
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=err, env=environment)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        served = Wire(process)
        yield served
        assert not served.checker.problems, "\n".join(sorted({*served.checker.problems}))
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Wire]:
    with wire(tmp_path, program("serve")) as process:
        yield process


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    """An initialized server for all tests of the module, which it has to survive."""
    with wire(tmp_path_factory.mktemp("ready")) as process:
        process.ask(1, "initialize", INITIALIZE)
        process.send(method="initialized", params={})
        yield process


@pytest.mark.parametrize(
    "params",
    [None, {}, [], 5, "x", {"textDocument": 5}, {"textDocument": {}, "position": {"line": "x"}}],
)
@pytest.mark.parametrize("method", ["textDocument/hover", "textDocument/diagnostic", "workspace/executeCommand"])
def test_malformed_params_are_answered_with_an_error(ready: Wire, method: str, params: object) -> None:
    assert ready.ask("x", method, params)["error"]["code"] == INVALID_PARAMS


def test_an_unknown_method_is_answered_with_an_error(ready: Wire) -> None:
    assert ready.ask(2, "no/such", {})["error"]["code"] == METHOD_NOT_FOUND
    assert ready.ask(3, "workspace/executeCommand", {"command": "no.such"})["error"]["code"] == INVALID_PARAMS


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", PARSE_ERROR),
        (b"\xff\xfe", PARSE_ERROR),
        (b"[" * 100_000, PARSE_ERROR),
        (b"[]", INVALID_REQUEST),
        (b'"x"', INVALID_REQUEST),
        (b'{"id": 1, "method": "initialize"}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "x"}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": null, "method": 5}', INVALID_REQUEST),
    ],
)
def test_an_invalid_message_is_answered_with_an_error(ready: Wire, body: bytes, code: int) -> None:
    ready.raw(body)
    assert ready.answer(None)["error"]["code"] == code


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/didChange", {"textDocument": {"uri": "file:///no.md", "version": 1}, "contentChanges": []}),
        ("textDocument/didChange", 5),
        ("textDocument/didClose", {"textDocument": {"uri": "file:///no.md"}}),
        ("textDocument/didOpen", {"textDocument": {}}),
        ("ttsr/events", [[[]]]),
        ("ttsr/didOpen", {"uri": 5}),
        ("ttsr/didClose", None),
        ("$/no/such", {}),
        (5, {}),
        ([], {}),
        ("$/cancelRequest", {"id": 77}),
    ],
)
def test_an_invalid_notification_is_not_answered_and_shows_no_message(
    ready: Wire, method: object, params: object
) -> None:
    ready.seen.clear()
    ready.send(method=method, params=params)
    assert ready.ask(4, "textDocument/hover", {})["error"]["code"] == INVALID_PARAMS
    assert {message["method"] for message in ready.seen} <= {"window/logMessage"}


def test_a_cancelled_request_is_answered(ready: Wire) -> None:
    uri = "file:///p/.omp/rules/a.md"
    params = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
    item = {"uri": uri, "languageId": "markdown", "version": 1, "text": "---\nx: y\n---\n"}
    ready.send(method="textDocument/didOpen", params={"textDocument": item})
    for number in range(20):
        ready.send(id=f"taken{number}", method="textDocument/diagnostic", params=params)
        ready.send(method="$/cancelRequest", params={"id": f"taken{number}"})
        answer = ready.answer(f"taken{number}")
        assert "result" in answer or answer["error"]["code"] == REQUEST_CANCELLED


def test_a_response_without_a_request_is_ignored(ready: Wire) -> None:
    ready.send(id=99, result=None)
    ready.send(id=[], error={"code": 1, "message": "x"})
    assert ready.ask(5, "no/such", {})["error"]["code"] == METHOD_NOT_FOUND


def test_requests_before_initialize_and_a_second_initialize_are_refused(server: Wire) -> None:
    assert server.ask(1, "textDocument/hover", {})["error"]["code"] == NOT_INITIALIZED
    assert "result" in server.ask(2, "initialize", INITIALIZE)
    assert server.ask(3, "initialize", INITIALIZE)["error"]["code"] == INVALID_REQUEST


def test_initialize_can_be_sent_again_after_it_was_refused(server: Wire) -> None:
    assert server.ask(1, "initialize", {})["error"]["code"] == INVALID_PARAMS
    assert server.ask(2, "textDocument/hover", {})["error"]["code"] == NOT_INITIALIZED
    assert "capabilities" in server.ask(3, "initialize", INITIALIZE)["result"]
    assert server.ask(4, "initialize", INITIALIZE)["error"]["code"] == INVALID_REQUEST


def test_shutdown_then_exit_ends_with_0_and_in_between_requests_are_refused(server: Wire) -> None:
    server.ask(1, "initialize", INITIALIZE)
    assert server.ask(2, "shutdown")["result"] is None
    assert server.ask(3, "textDocument/hover", {})["error"]["code"] == INVALID_REQUEST
    server.send(method="exit")
    assert server.process.wait(60) == 0


def test_what_a_client_sends_while_it_shuts_the_server_down_is_no_warning(server: Wire, tmp_path: Path) -> None:
    server.ask(1, "initialize", INITIALIZE)
    server.ask(2, "shutdown")
    assert server.ask(3, "workspace/diagnostic", {"previousResultIds": []})["error"]["code"] == INVALID_REQUEST
    for params in ({"textDocument": {"uri": "file:///rule.md"}}, {}):
        server.send(method="textDocument/didClose", params=params)
    server.send(method="$/cancelRequest", params={})
    server.send(id=9, result=None)
    assert server.ask(4, "workspace/diagnostic", {"previousResultIds": []})["error"]["code"] == INVALID_REQUEST
    server.send(method="exit")
    assert server.process.wait(60) == 0
    logged = [message["params"] for message in server.seen if message.get("method") == "window/logMessage"]
    assert [line["type"] for line in logged if "the server is shut down" in line["message"]] == [3, 3]
    assert [line for line in logged if line["type"] < 3] == []
    assert (tmp_path / STDERR).read_text() == ""


def test_exit_without_shutdown_ends_with_1(server: Wire) -> None:
    server.ask(1, "initialize", INITIALIZE)
    server.send(method="exit")
    assert server.process.wait(60) == 1


def test_the_end_of_input_ends_the_process(server: Wire) -> None:
    server.ask(1, "initialize", INITIALIZE)
    server.stdin.close()
    assert server.process.wait(60) == 1


def test_invalid_framing_ends_the_process(server: Wire) -> None:
    server.stdin.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    server.stdin.flush()
    assert server.process.wait(60) == 1
