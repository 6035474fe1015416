"""Real agents under `ttsr-ls run`: interrupted where they break a rule, and the corrected file is on disk."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.agents.driven_agents import AGENTS, DrivenAgent, run_agent
from ttsr_ls.session.history.turn_events import (
    InjectionCommitted,
    OutputInterrupted,
    RetryStarted,
    RuleTriggered,
    TurnEnded,
    TurnEvent,
    TurnStarted,
)
from ttsr_ls.session.history.turn_fold import fold
from ttsr_ls.store.log.reader import read_log

RULE = "---\ncondition: deprecated_module\n---\nUse new_module.\n"
DRIVEN = list(AGENTS.values())
LIFECYCLE = (TurnStarted, RuleTriggered, OutputInterrupted, InjectionCommitted, RetryStarted, TurnEnded)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    project = tmp_path / "shop"
    (project / ".omp" / "rules").mkdir(parents=True)
    (project / ".omp" / "rules" / "no-old.md").write_text(RULE)
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    return project


def lifecycle(log: Path) -> list[str]:
    return [type(each).__name__ for each in events(log) if isinstance(each, LIFECYCLE)]


def events(log: Path) -> list[TurnEvent]:
    return [record.event for record in read_log(log).records]


@pytest.mark.parametrize("agent", DRIVEN, ids=lambda agent: agent.name)
def test_a_tool_call_is_prevented_and_corrected(agent: DrivenAgent, project: Path, tmp_path: Path) -> None:
    log = tmp_path / "session.jsonl"
    ran = run_agent(agent, project, ["deprecated_module", "new_module", "Written."], log=log)
    assert ran.returncode == 0, ran.stderr
    assert (project / "a.py").read_text().startswith("import new_module\n")
    assert "Written." in ran.stdout
    assert "no-old fired on" in ran.stderr
    assert "Injected no-old" in ran.stderr
    # The first call never ran.
    assert "ran before the interrupt" not in ran.stderr
    assert lifecycle(log) == [
        "TurnStarted", "RuleTriggered", "OutputInterrupted", "InjectionCommitted", "RetryStarted", "TurnEnded",
    ]  # fmt: skip
    assert not fold(events(log)).problems


@pytest.mark.parametrize("agent", DRIVEN, ids=lambda agent: agent.name)
def test_prose_is_interrupted(agent: DrivenAgent, project: Path, tmp_path: Path) -> None:
    log = tmp_path / "session.jsonl"
    said = "I take the deprecated_module for this, because it is familiar, and go on for many more words about it. " * 4
    ran = run_agent(agent, project, [said, "new_module", "Written."], log=log)
    assert ran.returncode == 0, ran.stderr
    assert (project / "a.py").read_text().startswith("import new_module\n")
    assert "no-old fired on text" in ran.stderr
    assert "Injected no-old" in ran.stderr
    assert not fold(events(log)).problems


@pytest.mark.parametrize("agent", DRIVEN, ids=lambda agent: agent.name)
def test_an_agent_that_breaks_no_rule_is_left_alone(agent: DrivenAgent, project: Path, tmp_path: Path) -> None:
    log = tmp_path / "session.jsonl"
    ran = run_agent(agent, project, ["new_module", "Written."], log=log)
    assert ran.returncode == 0, ran.stderr
    assert (project / "a.py").read_text().startswith("import new_module\n")
    assert lifecycle(log) == ["TurnStarted", "TurnEnded"]
