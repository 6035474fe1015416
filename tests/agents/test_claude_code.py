"""A real Claude Code, watched while it runs."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.fork_server import program
from tests.recorders.messages_server import MessagesServer
from tests.recorders.record_claude_demo import answers, run

ROOT = Path(__file__).parents[2]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    project = tmp_path / "shop"
    project.mkdir()
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    return project


def test_its_stream_triggers_the_shipped_rules(tmp_path: Path, project: Path) -> None:
    atoms = [f'"file_path": "{project}/{name}"' for name in ("shop/prices.py", "web/cart.ts")]
    server = MessagesServer(answers(str(project)), atoms, seed=7)
    home, log = tmp_path / "home", tmp_path / "session.jsonl"
    home.mkdir()
    command = [*program("watch"), "--from", "claude", "--cwd", str(project)]
    command += ["--rules", str(ROOT / "rules"), "--log", str(log)]
    watch = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert watch.stdin is not None
    try:
        for _, line in run(os.environ["TTSR_CLAUDE"], server.url, home, project):
            watch.stdin.write(json.dumps(line) + "\n")
            watch.stdin.flush()
    finally:
        server.close()
    report, _ = watch.communicate(timeout=60)

    assert server.served == len(answers(""))
    assert watch.returncode == 0
    expected = {
        "prose-no-flattery": 1,
        "py-no-mutable-default": 1,
        "py-no-bare-except": 1,
        "ts-no-explicit-any": 1,
        "prose-evidence-before-claims": 1,
    }
    events = [json.loads(line).get("event", {}) for line in log.read_text().splitlines()]
    triggers = [event for event in events if event.get("kind") == "RuleTriggered"]
    assert Counter(trigger["rule"] for trigger in triggers) == expected
    assert all(name in report for name in expected)
    # The agent went on undisturbed and wrote its files: the bridge only observes.
    assert "PriceError" in (project / "shop/prices.py").read_text()


def test_the_output_of_a_command_is_printed(tmp_path: Path, project: Path) -> None:
    """`/cost` asks no model, so no account is needed."""
    command = [sys.executable, "-m", "ttsr_ls", "run", "claude", "--program", os.environ["TTSR_CLAUDE"], "-p", "/cost"]
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
    ran = subprocess.run(
        command, cwd=project, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[0].startswith("Estimated cost:"), ran.stdout
