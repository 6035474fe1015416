"""Clients of `proxy` and `hooks serve`: threads that send a file with a path and a body on each line; and an editor."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from threading import Event, Thread

from msgspec import Struct

from tests.hostile.played_agents import LAST
from ttsr_ls.cli.proxy.run_proxy import TOKEN_VARIABLE
from ttsr_ls.store.hook_server_file import hook_server_address

PROXY_REQUESTS, HOOK_CALLS = "../proxy.txt", "../hooks.txt"
PORT = "{PORT}"
"""Stands in the arguments of a server for the port that it is told."""
_TOKEN = "a-token-of-the-driver"  # noqa: S105 - of a server that ends with the measurement
_LOOKS_EVERY = 0.01
_STARTS_WITHIN = 60.0


def edited(lines: bytes, run: Callable[[], int]) -> int:
    """Runs a relay with an editor that says these lines, and closes when it gets the last one of the agent."""
    (reading, input_end), (output_end, writing) = os.pipe(), os.pipe()
    os.dup2(reading, 0)
    os.dup2(writing, 1)
    # What it was before may have been a file.
    sys.stdout = os.fdopen(1, "w", closefd=False)

    def edit() -> None:
        with open(input_end, "wb") as to_relay, open(output_end, "rb") as from_relay:  # noqa: PTH123 - of descriptors
            to_relay.write(lines)
            to_relay.flush()
            for line in from_relay:
                if LAST.encode() in line:
                    return

    Thread(target=edit, daemon=True).start()
    return run()


class Client(Struct, frozen=True):
    """Sends the requests of a file to a server; `prefix` stands before their paths."""

    file: str
    prefix: str = ""

    def asks(self, folder: Path, run: Callable[[str], int]) -> int:
        """Runs a server, which `run` starts on a port, until each request is answered; returns its status."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        os.environ[TOKEN_VARIABLE] = _TOKEN
        address = hook_server_address(Path(os.environ["XDG_STATE_HOME"]), port)
        ended = Event()
        thread = Thread(target=self._ask, args=(folder / self.file, port, address.authorization, ended))
        thread.start()
        try:
            return run(str(port))
        finally:
            ended.set()
            thread.join()

    def _ask(self, requests: Path, port: int, authorization: str, ended: Event) -> None:
        try:
            if not _is_served(port, ended):
                return
            for line in requests.read_bytes().splitlines():
                path, _, body = line.partition(b" ")
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_STARTS_WITHIN)
                headers = {"content-type": "application/json", "Authorization": authorization}
                connection.request("POST", f"{self.prefix}/{path.decode()}", body, headers)
                response = connection.getresponse()
                response.read()
                connection.close()
        finally:
            # A server that refused its configuration does not catch the signal any more.
            if not ended.is_set():
                os.kill(os.getpid(), signal.SIGTERM)


def proxy_client() -> Client:
    """The client of `proxy`."""
    return Client(PROXY_REQUESTS, f"/s/{_TOKEN}")


def _is_served(port: int, ended: Event) -> bool:
    """Waits until a port is served; False if the server ended before."""
    deadline = time.monotonic() + _STARTS_WITHIN
    while not ended.is_set():
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(_LOOKS_EVERY)
        else:
            return True
    return False


def proxy_requests(text: str) -> str:
    """A request on each wire, with a history that has this text."""
    called = {"type": "tool_use", "id": "c", "name": "write", "input": {"path": "src/a.ts", "content": text}}
    result = {"type": "tool_result", "tool_use_id": "c", "content": text}
    prompted = {"role": "user", "content": text}
    anthropic = [prompted, {"role": "assistant", "content": [called]}, {"role": "user", "content": [result]}]
    parts = [{"role": "user", "parts": [{"text": text}]}]
    tool = {"name": "write"}
    # Rules apply where a request offers tools.
    asked: dict[str, dict[str, object]] = {
        "anthropic/v1/messages": {"max_tokens": 100, "messages": anthropic, "tools": [tool]},
        "openai/v1/chat/completions": {"messages": [prompted], "tools": [{"type": "function", "function": tool}]},
        "openai/v1/responses": {"input": [prompted], "tools": [{"type": "function", **tool}]},
        "gemini/v1beta/models/m:streamGenerateContent?alt=sse": {
            "contents": parts,
            "tools": [{"functionDeclarations": [tool]}],
        },
    }
    return request_lines((path, {"model": "m", "stream": True, **body}) for path, body in asked.items())


def hook_calls(text: str, said: str) -> str:
    """The calls of Claude Code's hooks in a session with these texts."""
    write = {"tool_name": "Write", "tool_use_id": "c", "tool_input": {"file_path": "src/code.ts", "content": said}}
    bash = {"tool_name": "Bash", "tool_use_id": "d", "tool_input": {"command": text, text[:300]: text}}
    events: list[dict[str, object]] = [
        {"hook_event_name": "SessionStart"},
        {"hook_event_name": "UserPromptSubmit", "prompt": text},
        {"hook_event_name": "PreToolUse", **write},
        {"hook_event_name": "PostToolUse", **write, "tool_response": {"content": text}},
        {"hook_event_name": "PreToolUse", **bash},
        {"hook_event_name": "Stop", "last_assistant_message": said},
        {"hook_event_name": "SessionEnd"},
    ]
    return request_lines(("claude", {"session_id": "s", "cwd": "{FOLDER}", **event}) for event in events)


def request_lines(requests: Iterable[tuple[str, object]]) -> str:
    """A file of requests: paths, each with its body."""
    return "".join(f"{path} {json.dumps(body)}\n" for path, body in requests)
