"""Subagents of a real oh-my-pi under `ttsr-ls run`: rules see their output and are injected into the main agent."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

from tests.agents.driven_agents import AGENTS, RULE, without_known_models
from tests.bridge.proxy.anthropic_model import AnthropicModel, Block, call, sse, text, write
from tests.bridge.proxy.validating_server import ModelServer
from tests.fork_server import program
from ttsr_ls.session.history.turn_events import InjectionCommitted, RuleTriggered, TurnEnded
from ttsr_ls.session.history.turn_fold import fold
from ttsr_ls.store.log.reader import read_log

NAMES = ("One",)
THINKING = 1
"""Seconds until the model begins an answer: longer than a run waits for more at the end of a turn."""


class Delegating(AnthropicModel):
    """Answers by the agent that asks: the order of requests of subagents is not known."""

    def __init__(self) -> None:
        super().__init__([])

    def _blocks(self, number: int, body: dict[str, Any]) -> list[Block]:
        self.answers = {number: self._chosen(body)}  # type: ignore[assignment]
        return super()._blocks(number, body)

    def _chosen(self, body: dict[str, Any]) -> list[Block]:
        messages = body["messages"]
        name = next((name for name in NAMES if f"SUBTASK {name}" in json.dumps(messages[0])), None)
        is_begun = any(message["role"] == "assistant" for message in messages)
        if name is None:
            tasks = [{"name": name, "agent": "task", "task": f"SUBTASK {name}"} for name in NAMES]
            if not is_begun:
                return [call("task", context="A shop.", tasks=tasks)]
            if not all(f'task-result id=\\"{name}\\"' in json.dumps(messages) for name in NAMES):
                return [text("I wait.")]
            time.sleep(THINKING)
            return [text("All done.")]
        time.sleep(THINKING)
        if is_begun:
            return [call("yield", data={"done": name})]
        return [{**write("import deprecated_module\n"), "name": "write",
                 "input": {"path": f"{name}.py", "content": "import deprecated_module\n"}}]  # fmt: skip


def test_a_rule_sees_the_output_of_subagents_in_the_background(tmp_path: Path) -> None:
    project, log = tmp_path / "shop", tmp_path / "session.jsonl"
    (project / ".omp" / "rules").mkdir(parents=True)
    (project / ".omp" / "rules" / "no-old.md").write_text(RULE)
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    model = Delegating()
    server = ModelServer(model, sse)
    environ = {**os.environ, "HOME": str(tmp_path), **without_known_models(tmp_path)}
    arguments = AGENTS["omp"].configure(tmp_path, server.url)
    command = [*program("run"), "omp", "--program", os.environ["TTSR_OMP"], "--prompt", "Do both", "--log", str(log)]
    try:
        run = subprocess.run(
            [*command, "--", *arguments], cwd=project, env=environ, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=300,
        )  # fmt: skip
    finally:
        server.close()
    assert (run.returncode, server.refusals) == (0, []), run.stderr
    assert "All done." in run.stdout
    events = [record.event for record in read_log(log).records]
    triggers = [event for event in events if isinstance(event, RuleTriggered)]
    assert {trigger.agent for trigger in triggers} <= {*NAMES}
    assert triggers
    assert "no-old fired on" in run.stderr
    # Subagents are not interrupted, so the rule is injected into the main agent.
    assert any(isinstance(event, InjectionCommitted) for event in events)
    mains = [request for request in model.requests if "SUBTASK" not in json.dumps(request["messages"][0])]
    assert "Use new_module." in json.dumps(mains[-1]["messages"])
    assert all((project / f"{name}.py").exists() for name in NAMES)
    assert isinstance(events[-1], TurnEnded)
    assert not fold(events).problems
