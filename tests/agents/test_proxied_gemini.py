"""A real Gemini CLI behind the proxy."""

from __future__ import annotations

import json
from pathlib import Path

from tests.agents.gemini_cli import gemini_environ, gemini_project, gemini_write, serving
from tests.agents.test_proxied_agents import proxied
from tests.bridge.proxy.anthropic_model import text


def test_gemini_writes_what_the_rule_asks_for(tmp_path: Path) -> None:
    project = gemini_project(tmp_path)
    answers = [
        [text("I write."), gemini_write(project, "deprecated_module")],
        [gemini_write(project, "new_module")],
        [text("Done.")],
    ]
    with serving(answers) as (model, server):
        environ = gemini_environ(tmp_path, server.url)
        process = proxied(
            project, "gemini", "TTSR_GEMINI", "-p", "Write a.py", "-y", "-m", "gemini-2.5-pro", environ=environ
        )
    assert (process.returncode, server.refusals) == (0, []), process.stderr
    assert process.stderr.splitlines()[-1] == "ttsr-ls: 3 answers inspected, 1 interrupted."
    assert (project / "a.py").read_text() == "import new_module\n"
    assert json.dumps(model.requests[2]["contents"]).count("Use new_module.") == 1
