"""A running `ttsr-ls watch` reports triggers immediately, and leaves a readable log however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import environment
from tests.cli.watched_project import SAMPLE
from ttsr_ls.session.history.turn_events import RuleTriggered, TurnCancelled, TurnEnded
from ttsr_ls.store.log.reader import read_log


@pytest.fixture
def watching(rules: Path, state: Path, project: Path) -> Iterator[subprocess.Popen[bytes]]:
    """`watch --passthrough` in a process of its own, waiting for its input."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ttsr_ls", "watch", "--from", "claude", "--rules", str(rules), "--passthrough"],
        cwd=project,
        env=environment(HOME=str(project.parent / "home"), XDG_STATE_HOME=str(state)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    yield process
    process.kill()
    with process:
        pass


def logs(state: Path) -> list[Path]:
    return sorted(state.rglob("*.jsonl"))


def read_until(process: subprocess.Popen[bytes], text: bytes) -> bytes:
    assert process.stderr is not None
    seen = b""
    while text not in seen:
        line = process.stderr.readline()
        assert line, seen
        seen += line
    return seen


def test_a_trigger_is_reported_before_the_stream_ends(watching: subprocess.Popen[bytes], state: Path) -> None:
    assert watching.stdin is not None
    assert watching.stdout is not None
    lines = SAMPLE.read_bytes().splitlines(keepends=True)
    watching.stdin.write(b"".join(lines[:40]))
    watching.stdin.flush()
    read_until(watching, b"no-old would interrupt text")
    (log,) = logs(state)
    assert any(isinstance(record.event, RuleTriggered) for record in read_log(log).records)
    watching.stdin.write(b"".join(lines[40:]))
    watching.stdin.close()
    assert watching.stdout.read() == SAMPLE.read_bytes()
    assert watching.wait(timeout=60) == 0


def test_ctrl_c_ends_the_turn_and_closes_the_log(watching: subprocess.Popen[bytes], state: Path) -> None:
    assert watching.stdin is not None
    watching.stdin.write(b"".join(SAMPLE.read_bytes().splitlines(keepends=True)[:40]))
    watching.stdin.flush()
    read_until(watching, b"no-old would interrupt text")
    watching.send_signal(signal.SIGINT)
    _, err = watching.communicate(timeout=60)
    assert watching.returncode == 130
    assert b"Traceback" not in err
    assert b"1 trigger of 1 rule" in err
    (log,) = logs(state)
    content = read_log(log)
    assert content.problems == ()
    assert content.records[-1].event == TurnEnded("t1", TurnCancelled("the stream ended"))


def test_a_closed_pipe_ends_the_watch_and_closes_the_log(watching: subprocess.Popen[bytes], state: Path) -> None:
    assert watching.stdin is not None
    assert watching.stdout is not None
    lines = SAMPLE.read_bytes().splitlines(keepends=True)
    watching.stdin.write(lines[0])
    watching.stdin.flush()
    assert watching.stdout.readline() == lines[0]
    watching.stdout.close()
    watching.stdin.write(b"".join(lines[1:40]))
    watching.stdin.flush()
    assert watching.wait(timeout=60) == 141
    (log,) = logs(state)
    assert read_log(log).problems == ()
    read_until(watching, b"No triggers")


def test_a_killed_watch_leaves_a_log_that_can_be_read(watching: subprocess.Popen[bytes], state: Path) -> None:
    assert watching.stdin is not None
    watching.stdin.write(b"".join(SAMPLE.read_bytes().splitlines(keepends=True)[:40]))
    watching.stdin.flush()
    read_until(watching, b"no-old would interrupt text")
    os.kill(watching.pid, signal.SIGKILL)
    watching.wait(timeout=60)
    (log,) = logs(state)
    content = read_log(log)
    assert content.problems == ()
    assert isinstance(content.records[-1].event, RuleTriggered)
