"""The program that measures all commands and requests runs them, and says so where one fails."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]


def test_commands_are_measured(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    command = [sys.executable, "-m", "tests.hostile.measure", "--only", "stream: digits", "--commands", "goes on"]
    process = subprocess.run([*command, "--out", str(out)], cwd=REPOSITORY, capture_output=True, text=True, timeout=120)
    measured = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(name, wrong) for _, name, _, wrong in measured] == [("agent that goes on", ""), ("mcp that goes on", "")]
    assert process.returncode == 0
    assert "1 cases; 0 measurements over 1 s" in process.stdout
