"""`ttsr-ls run --proxy` with a program in place of an agent: its signals and terminal, and the printed notices."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.fork_server import program
from ttsr_ls.bridge.agent_hooks.client.client_script import client_script

ROOT = Path(__file__).parents[2]
OWN_PROCESS = (sys.executable, "-m", "ttsr_ls", "run")
"""For tests of signals and of the terminal."""
AGENT = """\
import os, signal, sys, time
from urllib.parse import urlsplit
import http.client
base = urlsplit(os.environ["ANTHROPIC_BASE_URL"])
connection = http.client.HTTPConnection(base.hostname, base.port)
connection.request("POST", base.path + "/v1/messages", b"{broken")
status = connection.getresponse().status
try:
    is_default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    print("AGENT", sys.stdin.isatty(), status, is_default, flush=True)
    if sys.argv[1] == "wait":
        while True:
            time.sleep(0.1)  # Not `pause`: it would wait for another signal where the first one came just before it.
except KeyboardInterrupt:
    print("AGENT interrupted", flush=True)
    sys.exit(7)
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    shop = tmp_path / "shop"
    (shop / ".omp" / "rules").mkdir(parents=True)
    (shop / ".git").mkdir()
    (shop / ".omp" / "rules" / "no-old.md").write_text("---\ncondition: deprecated_module\n---\nUse new_module.\n")
    agent = tmp_path / "agent"
    agent.write_text(f"#!{sys.executable}\n{AGENT}")
    agent.chmod(0o755)
    return shop


def command(shop: Path, *options: str, then: str = "end", start: Sequence[str] = ()) -> list[str]:
    agent = str(shop.parent / "agent")
    return [*(start or program("run")), "--proxy", *options, "--program", agent, "claude", "--", then]


def environ(shop: Path) -> dict[str, str]:
    home = str(shop.parent)
    own = {"PATH": os.environ["PATH"], "HOME": home, "XDG_STATE_HOME": f"{home}/state", "PYTHONPATH": str(ROOT)}
    # Nobody listens there: requests that are passed on fail, and the agent sees that.
    return {**own, "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}


def test_without_a_terminal_notices_are_printed_immediately(shop: Path) -> None:
    process = subprocess.run(command(shop), cwd=shop, env=environ(shop), capture_output=True, text=True, timeout=60)
    assert (process.returncode, process.stdout.split()[0::2]) == (0, ["AGENT", "502"])
    first, second, last = process.stderr.splitlines()
    assert first.startswith("ttsr-ls: claude is protected by 1 rule (127.0.0.1:")
    assert second.startswith("ttsr-ls: A request was passed on without protection, because it is no JSON")
    assert last.startswith("ttsr-ls: 0 answers inspected, none broke a rule, 1 request NOT inspected (it is no JSON")


def test_a_relative_program_is_looked_for_in_the_current_folder(shop: Path) -> None:
    words = [*program("run"), "--proxy", "--cwd", "shop", "--program", "./agent", "claude", "--", "end"]
    process = subprocess.run(words, cwd=shop.parent, env=environ(shop), capture_output=True, text=True, timeout=60)
    assert (process.returncode, process.stdout.split()[0::2]) == (0, ["AGENT", "502"])


def test_hooks_of_the_agent_know_that_the_proxy_enforces_its_session(shop: Path) -> None:
    client = shop.parent / "ttsr-hook"
    client.write_text(client_script("http://127.0.0.1:9/T", "Bearer T"))
    hooks = f"for agent in claude codex; do echo SECRETPROMPT | sh {client} $agent; done\n"
    (shop.parent / "agent").write_text(f"#!/bin/sh\n{hooks}")
    own, others = subprocess.run(
        command(shop, "--no-content"), cwd=shop, env=environ(shop), capture_output=True, text=True, timeout=60
    ).stdout.splitlines()
    assert own == "{}"
    assert "the hook server does not answer" in others


def test_the_first_line_counts_only_rules_that_are_enforced(shop: Path) -> None:
    question = "---\nquestion: Is it polite?\n---\nBe polite.\n"
    (shop / ".omp" / "rules" / "polite.md").write_text(question)
    process = subprocess.run(command(shop), cwd=shop, env=environ(shop), capture_output=True, text=True, timeout=60)
    first = process.stderr.splitlines()[0]
    assert "claude is protected by 1 rule (" in first
    assert first.endswith("; not enforced: 1 rule with a question for a judge (--judge names one)")
    (shop / ".omp" / "rules" / "no-old.md").unlink()
    process = subprocess.run(command(shop), cwd=shop, env=environ(shop), capture_output=True, text=True, timeout=60)
    assert process.stderr.splitlines()[0].startswith(
        "ttsr-ls: no rules are in force here, so claude runs without protection"
    )


def test_refuse_unparsed_refuses_unreadable_requests(shop: Path) -> None:
    process = subprocess.run(
        command(shop, "--refuse-unparsed", "-q"),
        cwd=shop, env=environ(shop), capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert process.stdout.split()[2] == "400"
    assert [line for line in process.stderr.splitlines() if "protected" in line or "inspected" in line] == []


def test_at_a_terminal_notices_are_printed_after_the_agent_ended(shop: Path) -> None:
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        command(shop, start=OWN_PROCESS), cwd=shop, env=environ(shop), stdin=follower, stdout=follower, stderr=follower
    )
    os.close(follower)
    shown = b""
    try:
        while data := os.read(leader, 4096):
            shown += data
    except OSError:  # The end, on Linux.
        pass
    os.close(leader)
    assert process.wait(60) == 0
    lines = shown.decode().splitlines()
    assert lines[1] == "AGENT True 502 True"
    assert "passed on without protection" in lines[2]
    assert len(lines) == 4


def test_ctrl_c_is_left_to_the_agent_whose_status_is_returned(shop: Path) -> None:
    process = subprocess.Popen(
        command(shop, then="wait", start=OWN_PROCESS), cwd=shop, env=environ(shop), text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline().startswith("AGENT")
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (7, "AGENT interrupted\n")
    assert err.splitlines()[-1].startswith("ttsr-ls: 0 answers inspected")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--prompt", "x"], "write the prompt and the options of the agent behind --"),
        (["--log", "x.jsonl"], "each session has a log of its own"),
        (["--cwd", "nowhere"], "there is no folder nowhere"),
        (["--retries", "-1"], "write a whole number from 0 to 9999999, not '-1'"),
    ],
)
def test_conflicting_arguments_are_refused(shop: Path, options: list[str], message: str) -> None:
    process = subprocess.run(command(shop, *options), cwd=shop, env=environ(shop), capture_output=True, text=True)
    assert process.returncode == 2
    assert message in process.stderr


def test_providers_of_another_wire_are_refused(shop: Path) -> None:
    process = subprocess.run(
        command(shop), cwd=shop, env={**environ(shop), "CLAUDE_CODE_USE_BEDROCK": "1"}, capture_output=True, text=True
    )
    assert process.returncode == 2
    assert "CLAUDE_CODE_USE_BEDROCK is set" in process.stderr
