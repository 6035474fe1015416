"""The program that measures all commands and requests runs them, leaves none out, and says so where one fails."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_hostile_values import parsers
from tests.hostile.command_lines import NOT_MEASURED, command_lines
from tests.hostile.hostile_cases import RULE, Case, rule_of, write
from tests.hostile.served_clients import Client, proxy_requests
from tests.hostile.server_requests import ask
from ttsr_ls.bridge.proxy.wires import wire_of
from ttsr_ls.cli.proxy.run_proxy import TOKEN_VARIABLE
from ttsr_ls.lsp import features

REPOSITORY = Path(__file__).parents[2]
CASE = Case("ordinary", {RULE: rule_of("a+b")})


def test_commands_are_measured(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    commands = "agent that,mcp,run,acp,hooks serve,proxy"
    command = [sys.executable, "-m", "tests.hostile.measure", "--only", "stream: digits", "--commands", commands]
    process = subprocess.run([*command, "--out", str(out)], cwd=REPOSITORY, capture_output=True, text=True, timeout=120)
    measured = [json.loads(line) for line in out.read_text().splitlines()]
    names = ["sessions prune", "run", "agent that goes on", "mcp", "mcp that goes on", "acp", "hooks serve", "proxy"]
    assert [(name, wrong) for _, name, _, wrong in measured] == [(name, "") for name in names]
    assert process.returncode == 0
    assert "1 cases; 0 measurements over 1 s" in process.stdout


def test_each_command_is_measured_or_has_a_reason_not_to_be() -> None:
    measured = set()
    for line in command_lines(CASE, Path(), "").values():
        name = line.arguments[0]
        action = " ".join(line.arguments[:2])
        measured.add(action if action in parsers() else name)
    with_actions = {name.split()[0] for name in parsers() if " " in name}
    assert measured | set(NOT_MEASURED) == set(parsers()) - with_actions
    assert not measured & set(NOT_MEASURED)


def test_each_message_of_the_server_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "shop"
    write(CASE, folder)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    sent = asyncio.run(ask(folder, CASE)).sent
    for messages in (
        features.REQUESTS, features.REQUESTS_BY_CAPABILITY, features.NOTIFICATIONS, features.CUSTOM_NOTIFICATIONS,
        features.CUSTOM_REQUESTS, features.COMMANDS,
    ):  # fmt: skip
        assert set(messages) <= sent


def test_rules_apply_to_the_requests_that_a_proxy_is_sent() -> None:
    for line in proxy_requests("a").splitlines():
        path, _, body = line.partition(" ")
        wire = wire_of("POST", "/" + path.partition("/")[2].partition("?")[0])
        assert wire is not None
        assert wire.requests.read(body.encode()).has_tools


def test_a_client_does_not_wait_for_a_server_that_refuses_to_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed: list[int] = []
    monkeypatch.setattr("tests.hostile.served_clients.os.kill", lambda _pid, number: killed.append(number))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv(TOKEN_VARIABLE, "")
    (tmp_path / "requests.txt").write_text("path {}\n")
    assert Client("requests.txt").asks(tmp_path, lambda _port: 2) == 2
    assert not killed
