"""Two subagents of a real Claude Code that run side by side behind the proxy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.agents.test_proxied_agents import RULE, proxied
from tests.bridge.proxy.anthropic_model import AnthropicModel, Block, call, sse, text, thinking, write
from tests.bridge.proxy.validating_server import ModelServer

TASKS = ("SUBTASK one", "SUBTASK two")


class Delegating(AnthropicModel):
    """Answers by what a request is about: the order of requests of subagents is not known."""

    def __init__(self, folder: Path) -> None:
        super().__init__([])
        self._folder = folder

    def _blocks(self, number: int, body: dict[str, Any]) -> list[Block]:
        self.answers = {number: self._chosen(body)}  # type: ignore[assignment]
        return super()._blocks(number, body)

    def _chosen(self, body: dict[str, Any]) -> list[Block]:
        messages = body["messages"]
        task = next((task for task in TASKS if task in json.dumps(messages[0])), None)
        is_begun = any(message["role"] == "assistant" for message in messages)
        if task is None:
            if is_begun:
                return [text("All done.")]
            given = {"subagent_type": "general-purpose", "run_in_background": False}
            return [thinking("Two."), *(call("Agent", description=task, prompt=task, **given) for task in TASKS)]
        if is_begun:
            return [text(f"Done with {task}.")]
        module = "new_module" if "Use new_module." in json.dumps(messages) else "deprecated_module"
        path = str(self._folder / f"{task.split()[1]}.py")
        return [thinking(f"{task} {module}"), write(f"import {module}\n", path)]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    project = tmp_path / "shop"
    (project / ".omp" / "rules").mkdir(parents=True)
    (project / ".git").mkdir()
    (project / ".omp" / "rules" / "no-old.md").write_text(RULE)
    return project


def test_each_subagent_is_interrupted_and_keeps_its_own_history(project: Path) -> None:
    model = Delegating(project)
    server = ModelServer(model, sse, AnthropicModel([[text("Title")]] * 9))
    environ = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "none"}
    try:
        process = proxied(
            project, "claude", "TTSR_CLAUDE", "-p", "Do both", "--permission-mode", "acceptEdits", environ=environ
        )
    finally:
        server.close()
    assert (process.returncode, server.refusals, process.stdout) == (0, [], "All done.\n"), process.stderr
    assert process.stderr.splitlines()[-1] == "ttsr-ls: 8 answers inspected, 2 interrupted."
    assert [(project / f"{name}.py").read_text() for name in ("one", "two")] == ["import new_module\n"] * 2
