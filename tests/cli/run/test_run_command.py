"""`ttsr-ls run` with agents that hang, die, print malformed output, or are stopped: it ends, with all its processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fork_server import program

ROOT = Path(__file__).parents[3]
AGENT = (
    f"#!{sys.executable}\n"
    + """\
import json, os, signal, subprocess, sys, time

def say(**message):
    print(json.dumps(message), flush=True)

def answer(text):
    say(type="message_start", message={"role": "assistant", "content": []})
    say(type="message_update", assistantMessageEvent={"type": "text_delta", "contentIndex": 0, "delta": text})

HOW = os.environ["HOW"]
child = subprocess.Popen(["sleep", "300"])
with open("child.new", "w") as file:
    file.write(str(child.pid))
os.rename("child.new", "child")
if HOW == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if HOW == "mute":
    time.sleep(300)
for line in sys.stdin:
    request = json.loads(line)
    if HOW == "stubborn" and request["type"] == "abort":
        continue
    say(type="response", id=request["id"], command=request["type"], success=True, data={})
    if request["type"] != "prompt":
        continue
    say(type="agent_start")
    answer("\\x1b]0;owned\\x07Hello ")
    if HOW == "dies":
        print("cannot reach the model \\x1b[31m", file=sys.stderr)
        print("Stack backtrace:", *(f"{number:4}: <unknown>" for number in range(9)), sep="\\n", file=sys.stderr)
        sys.exit(3)
    if HOW == "garbage":
        sys.stdout.buffer.write(b"\\xff\\x00 nonsense\\n{}\\n[1]\\n")
    if HOW in ("hangs", "stubborn"):
        continue
    say(type="message_end", message={"role": "assistant", "content": [], "stopReason": "stop"})
    say(type="agent_end", messages=[])
if HOW in ("stubborn",):
    time.sleep(300)
"""
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    (tmp_path / "agent").write_text(AGENT)
    (tmp_path / "agent").chmod(0o755)
    project = tmp_path / "shop"
    project.mkdir()
    yield project
    if (project / "child").exists():
        child = int((project / "child").read_text())
        deadline = time.monotonic() + 60
        while is_alive(child):  # A killed process ends when it gets a processor.
            assert time.monotonic() < deadline, "the agent's own process outlived it"
            time.sleep(0.01)


def is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def arguments(project: Path) -> list[str]:
    return ["pi", "--program", str(project.parent / "agent"), "--prompt", "Go"]


def ran(project: Path, how: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*program("run"), *arguments(project), *options],
        cwd=project,
        env={**os.environ, "HOW": how},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=90,
    )


def test_the_agents_text_is_printed_with_escaped_control_characters(project: Path) -> None:
    result = ran(project, "works")
    assert result.returncode == 0, result.stderr
    assert result.stdout == "\\x1b]0;owned\\x07Hello \n"
    assert "Running pi" in result.stderr
    assert "pi: no rules are in force here, so pi runs without protection; `ttsr-ls list` shows why." in result.stderr


def test_an_agent_that_dies_is_reported_with_its_status(project: Path) -> None:
    result = ran(project, "dies")
    assert result.returncode == 3
    assert "The agent ended before it was done." in result.stderr
    assert "cannot reach the model \\x1b[31m" in result.stderr
    assert "\x1b" not in result.stderr
    assert "<unknown>" not in result.stderr


def test_a_server_that_exits_at_its_start_is_reported_with_its_status(project: Path) -> None:
    result = ran_failing(project, "run", "opencode", "--prompt", "go", "--program")
    assert result.returncode == 2
    failure = "the agent's server ended, or reported no address, when it was started (exit status 7): boom"
    assert failure in result.stderr


def test_an_agent_of_an_editor_that_dies_is_reported_with_its_status(project: Path) -> None:
    result = ran_failing(project, "acp", "--no-log", "--")
    assert (result.returncode, result.stdout) == (7, "")
    assert "boom" in result.stderr
    assert "The agent's exit status is 7." in result.stderr


def ran_failing(project: Path, name: str, *others: str) -> subprocess.CompletedProcess[str]:
    """The command with a program that fails at once; its input stays open."""
    failing = project / "failing"
    failing.write_text("#!/bin/sh\necho boom >&2\nexit 7\n")
    failing.chmod(0o755)
    started = [*program(name), *others, str(failing)]
    reading, writing = os.pipe()
    try:
        return subprocess.run(
            started,
            cwd=project,
            stdin=reading,
            capture_output=True,
            text=True,
            check=False,
            timeout=90,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
    finally:
        os.close(reading)
        os.close(writing)


def test_malformed_output_of_an_agent_is_reported_and_skipped(project: Path) -> None:
    result = ran(project, "garbage")
    assert result.returncode == 0
    assert result.stderr.count("was skipped") == 3


def test_a_silent_agent_is_stopped_after_the_timeout(project: Path) -> None:
    result = ran(project, "hangs", "--silence", "1")
    assert result.returncode == 2
    assert "The agent wrote nothing for 1 seconds." in result.stderr


def test_an_agent_that_never_answers_is_stopped(project: Path) -> None:
    result = ran(project, "mute", "--silence", "1")
    assert result.returncode == 2


@pytest.mark.parametrize("how", ["hangs", "stubborn"])
def test_ctrl_c_stops_the_agent_and_its_child_processes(project: Path, how: str) -> None:
    started = subprocess.Popen(
        [sys.executable, "-m", "ttsr_ls", "run", *arguments(project)],
        cwd=project,
        env={**os.environ, "HOW": how},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert started.stdout is not None
    assert started.stderr is not None
    assert started.stdout.read(5)
    # Editors show the answer while it streams; the log has it once it is complete.
    (live,) = (project.parent / "state").rglob("*.live")
    assert '"text":"\\u001b]0;owned\\u0007Hello "' in live.read_text()
    started.send_signal(signal.SIGINT)
    output = ""
    while "is asked to stop" not in output:
        line = started.stderr.readline()
        assert line, output
        output += line
    if how == "stubborn":
        started.send_signal(signal.SIGINT)
    # Not `communicate`: the lines that came together with the last one are in the buffer of `stderr`.
    rest = started.stderr.read()
    assert started.wait(60) == 130, output + rest
    assert "Stopped." in rest
    started.stdout.close()
    started.stderr.close()
    assert not live.exists()


def test_a_relative_program_is_looked_for_in_the_current_folder(project: Path) -> None:
    argv = [*program("run"), "pi", "--program", "./agent", "--cwd", "shop", "--prompt", "Go"]
    environ = {**os.environ, "HOW": "works"}
    result = subprocess.run(argv, cwd=project.parent, env=environ, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (0, "\\x1b]0;owned\\x07Hello \n"), result.stderr


def test_a_missing_program_is_reported_by_name(project: Path) -> None:
    argv = [*program("run"), "pi", "--program", "/nowhere/pi", "--prompt", "Go"]
    result = subprocess.run(argv, cwd=project, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (
        2,
        "ttsr-ls: cannot run pi: there is no program /nowhere/pi\n",
    )


def test_a_blank_prompt_is_refused(project: Path) -> None:
    argv = [*program("run"), *arguments(project)[:3]]
    result = subprocess.run(argv, cwd=project, input=" \n", capture_output=True, text=True, check=False, timeout=60)
    assert (result.returncode, result.stderr) == (2, "ttsr-ls: the prompt is empty\n")


@pytest.mark.parametrize(
    ("missing", "reason"), [("/nowhere/agent", "there is no such program"), ("no-agent-9", "it is not on the PATH")]
)
def test_acp_names_the_program_that_it_cannot_run(project: Path, missing: str, reason: str) -> None:
    result = ran_failing(project, "acp", "--no-log", "--", missing)
    assert result.stderr == f"ttsr-ls: cannot run {missing}: {reason}\n"
