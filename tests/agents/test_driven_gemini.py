"""A real Gemini CLI under `ttsr-ls run`, over the Agent Client Protocol."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.agents.gemini_cli import gemini_environ, gemini_project, gemini_write, serving
from tests.bridge.proxy.anthropic_model import Block, text
from tests.fork_server import program
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
    command = [*program("run"), "gemini", "--program", os.environ["TTSR_GEMINI"], "--approve"]
    command += ["--prompt", "Write a.py", "--log", str(log), "--", "-m", "gemini-2.5-pro", *arguments]
    with serving(answers, unfinished) as (model, server):
        environ = {**gemini_environ(project.parent, server.url), "PYTHONPATH": str(ROOT)}
        if arguments:  # One of the runs is of a Gemini CLI that starts itself again, as it does for users.
            del environ["GEMINI_CLI_NO_RELAUNCH"]
        process = subprocess.run(
            command, cwd=project, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
        )
    return RanGemini(process, [request["contents"] for request in model.requests], server.refusals, log)


PROSE = "I take the deprecated_module for this, because it is familiar, and go on for many more words about it. " * 4
LIKED = "---\ncondition: like the ancient\nscope: text\n---\nAvoid the ancient one.\n"
"""A rule beside the one of the project."""


def test_prose_is_discarded_a_call_is_corrected_and_prose_after_a_tool_is_answered(project: Path) -> None:
    """One run, because Gemini CLI takes seconds to start: the rules that fire are three."""
    (project / ".omp/rules/no-gone.md").write_text("---\ncondition: gone_module\n---\nTake one that is there.\n")
    (project / ".omp/rules/no-ancient.md").write_text(LIKED)
    answers = [
        [text(PROSE)],
        [gemini_write(project, "gone_module")],
        [text("It was refused.")],
        [gemini_write(project, "new_module")],
        [text("I like the ancient one more. " * 9)],
        [text("The new_module it is.")],
    ]
    ran = driven(project, answers, unfinished=[0])
    said, contents = ran.process.stderr, [json.dumps(content) for content in ran.contents]
    assert (ran.process.returncode, ran.refusals) == (0, []), said
    # Prose is interrupted and discarded.
    assert said.count("interrupted and discarded") == 1
    assert "I take the" not in contents[1]
    assert "Write a.py" in contents[1]
    assert "Use new_module." in contents[1]
    # The call is refused and corrected.
    assert (project / "a.py").read_text() == "import new_module\n"
    assert "no-gone fired on" in said
    assert "Injected no-gone" in said
    assert "could not be prevented" not in said
    assert contents[3].count("Take one that is there.") == 1
    # After a tool has run, prose is not interrupted, and the rule follows.
    assert said.count("the answer is interrupted") == 1
    assert "Avoid the ancient one." in contents[5]
    assert "functionResponse" in contents[5]  # What the tool did is not forgotten.
    events = [record.event for record in read_log(ran.log).records]
    assert [type(event) for event in events].count(TurnEnded) == 1
    triggered = [event.rule for event in events if isinstance(event, RuleTriggered)]
    assert triggered == ["no-old", "no-gone", "no-ancient"]
    assert isinstance(next(event.state for event in events if isinstance(event, StepUpdated)), CallRefused)
    assert not fold(events).problems


def test_prose_that_was_complete_stays_and_a_call_that_asks_no_permission_is_put_right(project: Path) -> None:
    (project / ".omp/rules/no-gone.md").write_text("---\ncondition: gone_module\n---\nTake one that is there.\n")
    answers = [
        [text("It takes the deprecated_module.")],
        [gemini_write(project, "gone_module")],
        [text("Written.")],
        [gemini_write(project, "new_module")],
        [text("Put right.")],
    ]
    ran = driven(project, answers, "--approval-mode", "yolo")
    said = ran.process.stderr
    assert (ran.process.returncode, ran.refusals) == (0, []), said
    # The prose was complete before the agent stopped.
    assert "stays in its history" in said
    query = json.dumps(ran.contents[1])
    assert query.count("Write a.py") == 1
    assert "Use new_module." in query
    assert "could not be prevented: it ran" in said
    assert (project / "a.py").read_text() == "import new_module\n"
