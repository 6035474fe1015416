"""Real agents behind the proxy: a task whose first answer breaks a rule ends with the corrected file on disk.

The scripted model refuses each request that the real API would refuse.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bridge.proxy.anthropic_model import AnthropicModel, sse, text, thinking, write
from tests.bridge.proxy.validating_server import ModelServer

ROOT = Path(__file__).parents[2]
RULE = "---\ncondition: deprecated_module\n---\nUse new_module.\n"
IDLE = {"DISABLE_TELEMETRY": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    project = tmp_path / "shop"
    (project / ".omp" / "rules").mkdir(parents=True)
    (project / ".omp" / "rules" / "no-old.md").write_text(RULE)
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    return project


def proxied(
    project: Path, agent: str, variable: str, *arguments: str, environ: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ttsr_ls", "run", "--proxy", "--program", os.environ[variable]]
    home = str(project.parent)
    own = {"PATH": os.environ["PATH"], "HOME": home, "XDG_STATE_HOME": f"{home}/state", "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [*command, agent, "--", *arguments],
        cwd=project,
        env={**own, **IDLE, **environ},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )


def session_log(project: Path) -> str:
    (log,) = (project.parent / "state" / "ttsr-ls").glob("shop-*/*.jsonl")
    return log.read_text()


def test_claude_code_writes_what_the_rule_asks_for(project: Path) -> None:
    path = str(project / "a.py")
    old, new = write("import deprecated_module\n", path), write("import new_module\n", path)
    model = AnthropicModel(
        [[thinking("Old is fine."), text("I write it."), old], [thinking("New."), new], [text("Written.")]]
    )
    server = ModelServer(model, sse, AnthropicModel([[text("Title")]] * 9))
    environ = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "none"}
    try:
        ran = proxied(
            project, "claude", "TTSR_CLAUDE", "-p", "Write a.py", "--permission-mode", "acceptEdits", environ=environ
        )
        assert (ran.returncode, server.refusals) == (0, []), ran.stderr
        assert ran.stdout == "Written.\n"
        assert (project / "a.py").read_text() == "import new_module\n"
        assert "deprecated_module" not in json.dumps(model.requests[2]["messages"])
        assert "Use new_module." in json.dumps(model.requests[2]["messages"])
        lines = ran.stderr.splitlines()
        assert lines[0].startswith("ttsr-ls: claude is protected by 1 rule (127.0.0.1:")
        assert lines[1].startswith("ttsr-ls: no-old interrupted the answer at ")
        assert lines[-1] == "ttsr-ls: 2 answers inspected, 1 interrupted."
        # A resumed session goes on with the model's view of the conversation, behind another proxy.
        model.answers = [*model.answers, [text("Bye.")]]
        ran = proxied(project, "claude", "TTSR_CLAUDE", "-c", "-p", "And now?", environ=environ)
        assert (ran.returncode, ran.stdout, server.refusals) == (0, "Bye.\n", []), ran.stderr
        assert model.requests[3]["messages"][0] == model.requests[2]["messages"][0]
        assert '"kind":"InjectionCommitted"' in session_log(project)
    finally:
        server.close()
