"""Real agents under `ttsr-ls run`: interrupted where they break a rule, and the corrected file is on disk."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
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
    assert "could not be prevented" not in ran.stderr
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


def asked(request: dict[str, object]) -> str:
    return json.dumps(request.get("messages") or request.get("input"))


@pytest.mark.parametrize("agent", DRIVEN, ids=lambda agent: agent.name)
def test_a_discarded_answer_is_not_seen_again(agent: DrivenAgent, project: Path) -> None:
    said = "I take the deprecated_module for this, and go on for many more words about it. " * 4
    ran = run_agent(agent, project, [said, "new_module", "Written."])
    assert ran.returncode == 0, ran.stderr
    assert "cut off and discarded" in ran.stderr
    assert "I take the" not in asked(ran.requests[1])
    assert "Write a.py" in asked(ran.requests[1])
    assert "Use new_module." in asked(ran.requests[1])


@pytest.mark.parametrize("name", ["claude", "omp", "opencode"])
def test_a_kept_answer_stays_in_the_history(name: str, project: Path) -> None:
    (project / ".omp" / "config.yml").write_text("ttsr:\n  contextMode: keep\n")
    said = "I take the deprecated_module for this, and go on for many more words about it. " * 4
    ran = run_agent(AGENTS[name], project, [said, "new_module", "Written."])
    assert ran.returncode == 0, ran.stderr
    assert "I take the" in asked(ran.requests[1])
    assert "Use new_module." in asked(ran.requests[1])


def test_a_sandboxed_call_of_codex_runs_and_is_put_right(project: Path) -> None:
    sandboxed = 'sandbox_mode="workspace-write"'
    agent = AGENTS["codex"]
    configured = replace(agent, configure=lambda home, url: [*agent.configure(home, url), "-c", sandboxed])
    # Where the call ends before the message arrives, Codex has asked for an answer already, and drops it.
    ran = run_agent(configured, project, ["deprecated_module", "new_module", "new_module", "Written."])
    assert ran.returncode == 0, ran.stderr
    assert "the call runs already" in ran.stderr
    assert "ran. The agent is told to put it right." in ran.stderr
    assert (project / "a.py").read_text() == "import new_module\n"


@pytest.mark.parametrize("agent", DRIVEN, ids=lambda agent: agent.name)
def test_a_rule_that_does_not_interrupt_reaches_the_model(agent: DrivenAgent, project: Path, tmp_path: Path) -> None:
    (project / ".omp" / "rules" / "no-old.md").write_text(RULE.replace("---\nUse", "interruptMode: never\n---\nUse"))
    log = tmp_path / "session.jsonl"
    ran = run_agent(agent, project, ["deprecated_module", "Written.", "new_module", "Put right."], log=log)
    assert ran.returncode == 0, ran.stderr
    assert "Use new_module." in "".join(map(asked, ran.requests[1:]))
    assert "OutputInterrupted" not in lifecycle(log)
    assert lifecycle(log).count("TurnStarted") == lifecycle(log).count("TurnEnded") == 1
    assert not fold(events(log)).problems


@pytest.mark.parametrize("agent", DRIVEN, ids=lambda agent: agent.name)
def test_an_agent_that_breaks_no_rule_is_left_alone(agent: DrivenAgent, project: Path, tmp_path: Path) -> None:
    log = tmp_path / "session.jsonl"
    ran = run_agent(agent, project, ["new_module", "Written."], log=log)
    assert ran.returncode == 0, ran.stderr
    assert (project / "a.py").read_text().startswith("import new_module\n")
    assert lifecycle(log) == ["TurnStarted", "TurnEnded"]
