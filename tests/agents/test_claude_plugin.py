"""A real Claude Code with our plugin is told what is wrong with a rule that it writes."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.editors.probed import server_program
from tests.recorders.messages_server import Block, MessagesServer, Text, ToolUse

PLUGIN = Path(__file__).parents[2] / "editors" / "claude-code"
BROKEN = "---\ncondition: 'finished$'\ninterupt-mode: always\n---\n\nSay what is left to do.\n"


class WaitingModel(MessagesServer):
    """Writes the rule, waits until it is told of the last finding, and says a word."""

    def answer(self, body: dict[str, Any]) -> Iterator[tuple[float, dict[str, Any]]]:
        if "end-sensitive-condition" in json.dumps(body["messages"]):
            self._served = max(self._served, len(self._answers) - 1)
        return super().answer(body)


def test_its_model_gets_the_findings_on_a_rule_that_it_wrote(tmp_path: Path) -> None:
    project, programs = tmp_path / "shop", tmp_path / "bin"
    rules = project / ".omp" / "rules"
    rules.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    programs.mkdir()
    server_program(programs)
    rule = rules / "no-finished.md"
    wait = ToolUse("Bash", {"command": "sleep 1", "description": "Wait"})
    write = ToolUse("Write", {"file_path": str(rule), "content": BROKEN})
    answers: list[list[Block]] = [[write], [Text("There is something wrong with it.")]]
    answers[1:1] = [[wait] for _ in range(60)]
    model = WaitingModel(answers, [], seed=5)
    environment = {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path / "home"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "ANTHROPIC_BASE_URL": model.url,
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }
    command = [os.environ["TTSR_CLAUDE"], "-p", "Write the rule", "--plugin-dir", str(PLUGIN)]
    command += ["--permission-mode", "acceptEdits", "--allowedTools", "Bash"]
    try:
        process = subprocess.run(
            command, cwd=project, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300
        )
    finally:
        model.close()
    assert (process.returncode, model.served) == (0, len(answers)), process.stderr
    query = json.dumps(model.requests[-1])
    assert "unknown-key" in query
    assert "end-sensitive-condition" in query
