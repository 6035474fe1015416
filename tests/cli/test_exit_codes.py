"""The manual names each command that can exit with status 1, and no other."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path

import pytest

from ttsr_ls.cli.main import COMMANDS, CliCommand

ROOT = Path(__file__).parents[2]
MANUAL = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
TABLE = MANUAL[MANUAL.index("| command | status 1 |") :].partition("\n\n")[0]
DOCUMENTED = set(re.findall(r"^\| `(\w+)` \|", TABLE, re.MULTILINE))
RUNS_IN = {
    "test with a text": "trial/run_trial.py",
    "check": "check/run_check.py",
    "test": "rule_tests/run.py",
    "scan": "scan/report.py",
    "convert": "run_convert.py",
    "why": "why/run_why.py",
    "doctor": "install/run_doctor.py",
    "agent": "agent/agent_run.py",
    "run": "run/run_controlled.py",
}
"""Where commands decide on their status, if not in their own module."""


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: str(command.name))
def test_the_manual_lists_the_commands_with_status_1(command: CliCommand) -> None:
    name = command.name
    source = inspect.getsource(importlib.import_module(command.module))
    if name in RUNS_IN:
        source += (ROOT / "ttsr_ls" / "cli" / RUNS_IN[name]).read_text(encoding="utf-8")
    assert ("ExitCode.FINDINGS" in source) == (name in DOCUMENTED)


def test_every_use_of_status_1_belongs_to_a_documented_command() -> None:
    users = {
        path.relative_to(ROOT / "ttsr_ls" / "cli").as_posix()
        for path in (ROOT / "ttsr_ls" / "cli").rglob("*.py")
        if "ExitCode.FINDINGS" in path.read_text(encoding="utf-8")
    }
    modules = {command.module.removeprefix("ttsr_ls.cli.").replace(".", "/") + ".py" for command in COMMANDS}
    assert users <= modules | set(RUNS_IN.values())
