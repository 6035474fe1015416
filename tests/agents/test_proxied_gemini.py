"""A real Gemini CLI behind the proxy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.agents.test_proxied_agents import RULE, proxied
from tests.bridge.proxy.anthropic_model import Block, text
from tests.bridge.proxy.chat_model import GeminiModel, gemini_sse
from tests.bridge.proxy.validating_server import ModelServer


class Aside(GeminiModel):
    """What the router of models gets, whose requests have no tools."""

    def message(self, body: dict[str, Any]) -> dict[str, Any]:
        candidate = {"index": 0, "content": {"role": "model", "parts": [{"text": "{}"}]}, "finishReason": "STOP"}
        return {"candidates": [candidate]}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    project = tmp_path / "shop"
    (project / ".omp" / "rules").mkdir(parents=True)
    (project / ".omp" / "rules" / "no-old.md").write_text(RULE)
    (tmp_path / ".gemini").mkdir()
    settings = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    (tmp_path / ".gemini" / "settings.json").write_text(json.dumps(settings))
    return project


def test_gemini_writes_what_the_rule_asks_for(project: Path) -> None:
    def gemini_write(module: str) -> Block:
        arguments = {"file_path": str(project / "a.py"), "content": f"import {module}\n"}
        return {"type": "tool_use", "name": "write_file", "input": arguments}

    answers = [[text("I write."), gemini_write("deprecated_module")], [gemini_write("new_module")], [text("Done.")]]
    model = GeminiModel(answers)
    server = ModelServer(model, gemini_sse, Aside([[text("x")]] * 9))
    environ = {"GOOGLE_GEMINI_BASE_URL": server.url, "GEMINI_API_KEY": "none", "GEMINI_CLI_TRUST_WORKSPACE": "true"}
    arguments = ["-p", "Write a.py", "-y", "-m", "gemini-2.5-pro"]
    try:
        ran = proxied(project, "gemini", "TTSR_GEMINI", *arguments, environ=environ)
    finally:
        server.close()
    assert (ran.returncode, server.refusals) == (0, []), ran.stderr
    assert ran.stderr.splitlines()[-1] == "ttsr-ls: 2 answers inspected, 1 interrupted."
    assert (project / "a.py").read_text() == "import new_module\n"
    assert json.dumps(model.requests[2]["contents"]).count("Use new_module.") == 1
