"""A process of the tests' fork server behaves like one that was started as users start it."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.command import environment
from tests.fork_server import program

CASES = [
    ("serve", ["--help"]),
    ("serve", ["--nope"]),
    ("serve", []),
    ("mcp", ["--cwd", "none-here"]),
    ("mcp", ["--log", "mine.jsonl"]),
    ("agent", []),
    ("agent", ["--script", "gone.yaml"]),
    ("agent", ["--script", "script.yaml", "-p", "go"]),
]


@pytest.mark.parametrize(("command", "args"), CASES)
def test_status_and_output_are_the_same(command: str, args: list[str], project: Path) -> None:
    (project / "script.yaml").write_text('{"answers": ["über"]}')
    seen = [
        subprocess.run(
            [*start, *args],
            env=environment(HOME=str(project.parent), XDG_STATE_HOME=str(project.parent / str(number))),
            input=b"no protocol\n",
            capture_output=True,
            timeout=60,
        )
        for number, start in enumerate(([sys.executable, "-m", "ttsr_ls", command], program(command)))
    ]
    cold, forked = ((ran.returncode, ran.stdout, ran.stderr) for ran in seen)
    assert forked == cold
    assert cold != (0, b"", b"")


def test_killing_a_client_kills_its_forked_process(project: Path) -> None:
    with subprocess.Popen([*program("mcp"), "--log", "mine.jsonl"], stdin=-1, stdout=-1, cwd=project) as client:
        assert client.stdin is not None
        client.stdin.write(b"no message\n")
        client.stdin.flush()
        assert client.stdout is not None
        assert client.stdout.readline()
        client.kill()
        deadline = time.monotonic() + 60
        # The killed process had the log open: as long as it lives, the next one is refused.
        while subprocess.run([*program("mcp"), "--log", "mine.jsonl"], input=b"", cwd=project).returncode:
            assert time.monotonic() < deadline
