"""Real agents that speak the Agent Client Protocol, with `ttsr-ls acp` between them and an editor."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.agents.driven_agents import AGENTS, ROOT, without_known_models
from tests.fork_server import program
from tests.recorders.messages_server import Text, ToolUse

RULE = "---\ncondition: deprecated_module\n---\nUse new_module.\n"
PROGRAMS = {"omp": ["--mode", "acp"], "opencode": ["acp"]}


class Editor:
    """A small editor: sends requests, answers the agent's, and keeps what it is shown."""

    def __init__(self, command: list[str], cwd: Path, environ: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            command, cwd=cwd, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.shown: list[dict[str, Any]] = []
        self._ids = 0

    def ask(self, method: str, **params: Any) -> Any:
        self._ids += 1
        self._send(id=self._ids, method=method, params=params)
        assert self._process.stdout is not None
        for line in self._process.stdout:
            message = json.loads(line)
            if message.get("method") == "session/request_permission":
                options = message["params"]["options"]
                chosen = next(option["optionId"] for option in options if option["kind"] == "allow_once")
                self._send(id=message["id"], result={"outcome": {"outcome": "selected", "optionId": chosen}})
            elif "method" in message:
                self.shown.append(message)
            elif message["id"] == self._ids:
                return message["result"]
        raise AssertionError("the agent ended")

    def close(self) -> str:
        _, errors = self._process.communicate(timeout=60)
        return errors.decode()

    def _send(self, **message: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()


def chunk(message: dict[str, Any]) -> str:
    content = message.get("params", {}).get("update", {}).get("content")
    return str(content.get("text", "")) if isinstance(content, dict) else ""


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_agent_in_an_editor_is_interrupted_and_corrected(name: str, tmp_path: Path) -> None:
    project = tmp_path / "shop"
    (project / ".ours").mkdir(parents=True)
    (project / ".ours" / "no-old.md").write_text(RULE)
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    agent = AGENTS[name]
    said = "I take the deprecated_module for this, and go on for many more words about it. " * 4
    model = agent.model(project, [said, "new_module", "Written."])
    if name == "opencode":  # The tools of its first API name the file otherwise.
        content = "import new_module\n"
        write = ToolUse("write", {"filePath": str(project / "a.py"), "content": content})
        model._answers[1:] = [[write], [Text("Written.")]]  # type: ignore[attr-defined]
    arguments = agent.configure(tmp_path, model.url)
    environ = {**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(ROOT), **agent.environ}
    environ |= without_known_models(tmp_path)
    command = [*program("acp"), "--rules", ".ours", "--"]
    editor = Editor([*command, os.environ[agent.program], *PROGRAMS[name], *arguments], project, environ)
    try:
        editor.ask("initialize", protocolVersion=1, clientCapabilities={}, clientInfo={"name": "e", "version": "0"})
        session = editor.ask("session/new", cwd=str(project), mcpServers=[])["sessionId"]
        prompt = [{"type": "text", "text": "Write a.py"}]
        assert editor.ask("session/prompt", sessionId=session, prompt=prompt)["stopReason"] == "end_turn"
    finally:
        report = editor.close()
        model.close()
    assert (project / "a.py").read_text().startswith("import new_module\n")
    assert "no-old fired on text" in report
    assert "Use new_module." in json.dumps(model.requests[1])
    assert "this answer broke the rule no-old" in json.dumps(editor.shown)
    assert "Written." in "".join(map(chunk, editor.shown))
