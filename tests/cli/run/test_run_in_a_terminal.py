"""`run` without a prompt, at a terminal: an agent whose interface cannot be served, and the suggested alternative."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.agents.terminal import Terminal

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("agent", "program", "arguments", "message"),
    [
        ("claude", sys.executable, [], "`ttsr-ls run claude --proxy` leaves the terminal to the agent"),
        ("codex", "false", [], "did not connect through ttsr-ls; `ttsr-ls run codex --proxy` enforces rules"),
        ("codex", "false", ["--log", "x.jsonl"], "--log needs --prompt"),
    ],
)
def test_an_impossible_run_suggests_an_alternative(
    agent: str, program: str, arguments: list[str], message: str, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "ttsr_ls", "run", agent, "--program", program, *arguments]
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "COLUMNS": "400"}
    terminal = Terminal(command, tmp_path, environ)
    try:
        assert terminal.wait() != 0
        assert message in terminal.text
    finally:
        terminal.close()
