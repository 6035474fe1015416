"""A real Claude Code with our plugin is told what is wrong with a rule that it writes."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from tests.editors.probed import server_program
from tests.recorders.messages_server import MessagesServer, Text, ToolUse

PLUGIN = Path(__file__).parents[2] / "editors" / "claude-code"
BROKEN = "---\ncondition: 'finished$'\ninterupt-mode: always\n---\n\nSay what is left to do.\n"


def test_its_model_gets_the_findings_on_a_rule_that_it_wrote(tmp_path: Path) -> None:
    project, programs = tmp_path / "shop", tmp_path / "bin"
    rules = project / ".omp" / "rules"
    rules.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    programs.mkdir()
    server_program(programs)
    rule = rules / "no-finished.md"
    wait = ToolUse("Bash", {"command": "sleep 3", "description": "Wait"})
    write = ToolUse("Write", {"file_path": str(rule), "content": BROKEN})
    model = MessagesServer([[write], [wait], [Text("There is something wrong with it.")]], [], seed=5)
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
        ran = subprocess.run(
            command, cwd=project, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
        )
    finally:
        model.close()
    assert (ran.returncode, model.served) == (0, 3), ran.stderr
    asked = json.dumps(model.requests[-1])
    assert "unknown-key" in asked
    assert "end-sensitive-condition" in asked
