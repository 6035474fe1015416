"""A real Gemini CLI under `ttsr-ls run`, over the Agent Client Protocol."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.agents.gemini_cli import gemini_environ, gemini_project, gemini_write, serving
from tests.bridge.proxy.anthropic_model import Block, text
from ttsr_ls.session.history.turn_events import CallRefused, RuleTriggered, StepUpdated, TurnEnded
from ttsr_ls.session.history.turn_fold import fold
from ttsr_ls.store.log.reader import read_log

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class RanGemini:
    """What came of a run, and what the model was asked."""

    process: subprocess.CompletedProcess[str]
    contents: list[Any]
    refusals: list[str]
    log: Path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return gemini_project(tmp_path)


def driven(project: Path, answers: Sequence[list[Block]], *arguments: str, unfinished: Sequence[int] = ()) -> RanGemini:
    log = project.parent / "session.jsonl"
    command = [sys.executable, "-m", "ttsr_ls", "run", "gemini", "--program", os.environ["TTSR_GEMINI"], "--approve"]
    command += ["--prompt", "Write a.py", "--log", str(log), "--", "-m", "gemini-2.5-pro", *arguments]
    with serving(answers, unfinished) as (model, server):
        environ = {**gemini_environ(project.parent, server.url), "PYTHONPATH": str(ROOT)}
        process = subprocess.run(
            command, cwd=project, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
        )
    return RanGemini(process, [request["contents"] for request in model.requests], server.refusals, log)


def test_a_tool_call_is_refused_and_corrected(project: Path) -> None:
    answers = [
        [gemini_write(project, "deprecated_module")],
        [text("It was refused.")],
        [gemini_write(project, "new_module")],
        [text("Written.")],
    ]
    ran = driven(project, answers)
    assert (ran.process.returncode, ran.refusals) == (0, []), ran.process.stderr
    assert (project / "a.py").read_text() == "import new_module\n"
    assert "no-old fired on" in ran.process.stderr
    assert "Injected no-old" in ran.process.stderr
    assert "could not be prevented" not in ran.process.stderr
    assert json.dumps(ran.contents[2]).count("Use new_module.") == 1
    events = [record.event for record in read_log(ran.log).records]
    assert [type(event) for event in events].count(TurnEnded) == 1
    assert [event.rule for event in events if isinstance(event, RuleTriggered)] == ["no-old"]
    assert isinstance(next(event.state for event in events if isinstance(event, StepUpdated)), CallRefused)
    assert not fold(events).problems


def test_prose_is_interrupted_and_discarded(project: Path) -> None:
    said = "I take the deprecated_module for this, because it is familiar, and go on for many more words about it. " * 4
    answers = [[text(said)], [gemini_write(project, "new_module")], [text("Written.")]]
    ran = driven(project, answers, unfinished=[0])
    assert (ran.process.returncode, ran.refusals) == (0, []), ran.process.stderr
    assert (project / "a.py").read_text() == "import new_module\n"
    assert "cut off and discarded" in ran.process.stderr
    query = json.dumps(ran.contents[1])
    assert "I take the" not in query
    assert "Write a.py" in query
    assert "Use new_module." in query


def test_prose_that_was_complete_before_the_agent_stopped_is_said_to_stay(project: Path) -> None:
    answers = [[text("It takes the deprecated_module.")], [gemini_write(project, "new_module")], [text("Written.")]]
    ran = driven(project, answers)
    assert (ran.process.returncode, ran.refusals) == (0, []), ran.process.stderr
    assert (project / "a.py").read_text() == "import new_module\n"
    assert "stays in its history" in ran.process.stderr
    query = json.dumps(ran.contents[1])
    assert query.count("Write a.py") == 1
    assert "Use new_module." in query


def test_prose_after_a_tool_has_run_is_not_interrupted_and_the_rule_follows(project: Path) -> None:
    answers = [
        [gemini_write(project, "new_module")],
        [text("I like the deprecated_module more. " * 9)],
        [text("The new_module it is.")],
    ]
    ran = driven(project, answers)
    assert (ran.process.returncode, ran.refusals) == (0, []), ran.process.stderr
    assert "cut off" not in ran.process.stderr
    query = json.dumps(ran.contents[2])
    assert "Use new_module." in query
    assert "functionResponse" in query  # What the tool did is not forgotten.


def test_a_call_that_asks_no_permission_is_put_right_afterwards(project: Path) -> None:
    answers = [
        [gemini_write(project, "deprecated_module")],
        [text("Written.")],
        [gemini_write(project, "new_module")],
        [text("Put right.")],
    ]
    ran = driven(project, answers, "--approval-mode", "yolo")
    assert (ran.process.returncode, ran.refusals) == (0, []), ran.process.stderr
    assert "could not be prevented: it ran" in ran.process.stderr
    assert (project / "a.py").read_text() == "import new_module\n"
