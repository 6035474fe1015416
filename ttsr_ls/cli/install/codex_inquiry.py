"""Asks Codex which hooks it runs in a folder: its app server lists them with their trust."""

from __future__ import annotations

import json
import subprocess
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from ttsr_ls import __version__
from ttsr_ls.bridge.wire.fields import get_object, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject, parse_object
from ttsr_ls.cli.install.agent_version import killed_at_end

MAX_PRINTED = 8 * 1024 * 1024
"""How much output is read, in bytes."""
MAX_LINES = 1_000
"""How many lines of it are read. There are as many as requests, and some notifications."""


class CodexAnswers(Struct, frozen=True):
    """The answers of Codex about a folder: its hooks, the requirements of the administrator, and its settings.

    An answer is the `result` of its request, or the `error`, an object with a `message`.
    """

    hooks: JsonObject
    requirements: JsonObject
    config: JsonObject


def ask_codex(program: str, cwd: Path, timeout: float = 20.0) -> CodexAnswers:
    """Returns the answers of Codex about the folder `cwd`, which it must give within `timeout` seconds.

    Raises OSError for a program that cannot be started; TimeoutError and ValueError, whose messages begin with "it".
    """
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [program, "app-server"], cwd=cwd, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, start_new_session=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    answers: dict[int, JsonObject] = {}
    left = MAX_PRINTED
    with (
        killed_at_end(process, timeout) as timed_out,
        suppress(BrokenPipeError),  # A program that ends at once breaks the pipe.
        process.stdout as output,
        process.stdin as requests,
    ):
        requests.write(_requests(cwd))
        requests.flush()
        for _ in range(MAX_LINES):
            line = output.readline(left)
            left -= len(line)
            _collect(line, answers)
            if not line or not left or len(answers) == len(_METHODS):
                break
    if timed_out.is_set():
        raise TimeoutError(f"it does not answer within {timeout:.0f} seconds")
    if len(answers) < len(_METHODS):
        raise ValueError("its app server does not answer")
    if "data" not in answers[1]:
        raise ValueError(get_text(answers[1], "message") or "its app server lists no hooks")
    return CodexAnswers(*(answers[number] for number in range(1, len(_METHODS) + 1)))


_METHODS = ("hooks/list", "configRequirements/read", "config/read")


def _requests(cwd: Path) -> bytes:
    client = {"name": "ttsr-ls", "version": __version__}
    folder = str(cwd)
    params: tuple[JsonObject, ...] = ({"cwds": [folder]}, {}, {"cwd": folder, "includeLayers": False})
    messages: list[JsonObject] = [
        {"id": 0, "method": "initialize", "params": {"clientInfo": client, "capabilities": {"experimentalApi": True}}},
        {"method": "initialized"},
    ]
    messages += [
        {"id": number, "method": method, "params": each}
        for number, (method, each) in enumerate(zip(_METHODS, params, strict=True), 1)
    ]
    return "".join(json.dumps(message) + "\n" for message in messages).encode()


def _collect(line: bytes, answers: dict[int, JsonObject]) -> None:
    message = parse_object(line)
    if isinstance(message, str) or get_text(message, "method"):
        return
    number = message.get("id")
    if isinstance(number, int) and 1 <= number <= len(_METHODS):
        answers[number] = get_object(message, "error") or get_object(message, "result")
