"""Ctrl-C twice: the first one asks the agent to end, the second one kills it with its child processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.processor_time import is_below

ROOT = Path(__file__).parents[3]
STUBBORN = f"""\
#!{sys.executable}
import os, signal, subprocess, sys, time

signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen(["sleep", "300"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
news = open(os.environ["NEWS"], "w", buffering=1)
print(child.pid, os.getpid(), file=news)
while sys.stdin.readline():
    print("asked", file=news)
print("input closed", file=news)
time.sleep(300)
"""
AT_ONCE = 2.5
"""Far below the 6 seconds that an agent gets to end by itself."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    (tmp_path / "agent").write_text(STUBBORN)
    (tmp_path / "agent").chmod(0o755)
    return tmp_path


def is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


@pytest.mark.parametrize(
    ("arguments", "signals"),
    [
        # The agent is asked to stop, does not answer, and is killed.
        (["run", "pi", "--program", "./agent", "--prompt", "Go"], 2),
        # A server that has not printed its address cannot be asked to stop.
        (["run", "opencode", "--program", "./agent", "--prompt", "Go"], 1),
        (["acp", "--", "./agent"], 2),
    ],
)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_nothing_outlives_the_second_signal(
    project: Path, arguments: list[str], signals: int, number: signal.Signals
) -> None:
    os.mkfifo(project / "news")
    process = subprocess.Popen(
        [sys.executable, "-m", "ttsr_ls", *arguments],
        cwd=project,
        env={**os.environ, "NEWS": str(project / "news")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with (project / "news").open() as heard, process:
        started = [int(item) for item in heard.readline().split()]
        assert process.stderr is not None
        if "pi" in arguments:
            # Before the agent accepts requests, the first signal kills it.
            assert heard.readline() == "asked\n"
        process.send_signal(number)
        if signals == 2:
            if arguments[0] == "acp":
                assert heard.readline() == "input closed\n"
            else:
                lines = []
                for line in iter(process.stderr.readline, ""):
                    lines.append(line)
                    if "is asked to stop" in line:
                        break
                else:
                    pytest.fail(f"{process.wait()} {lines}")
            process.send_signal(number)
        since = time.perf_counter()
        process.communicate(timeout=60)
        assert is_below(time.perf_counter() - since, AT_ONCE, time.perf_counter)
    assert process.returncode == (128 + number if arguments[0] == "acp" else 130)
    deadline = time.monotonic() + 60
    while any(map(is_alive, started)):  # A killed process ends when it gets a processor.
        assert time.monotonic() < deadline, "the agent, or what it started, outlived the command"
        time.sleep(0.01)
