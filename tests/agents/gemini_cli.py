"""A real Gemini CLI with a home of its own, and a scripted model that refuses what the real API would refuse."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.bridge.proxy.anthropic_model import Block
from tests.bridge.proxy.chat_model import GeminiModel, gemini_sse
from tests.bridge.proxy.validating_server import ModelServer

RULE = "---\ncondition: deprecated_module\n---\nUse new_module.\n"


class Aside(GeminiModel):
    """What the router of models gets, whose requests have no tools."""

    def message(self, body: dict[str, Any]) -> dict[str, Any]:
        candidate = {"index": 0, "content": {"role": "model", "parts": [{"text": "{}"}]}, "finishReason": "STOP"}
        return {"candidates": [candidate]}


def gemini_project(folder: Path) -> Path:
    """A project with a rule, in a home with settings."""
    project = folder / "shop"
    (project / ".omp" / "rules").mkdir(parents=True)
    (project / ".omp" / "rules" / "no-old.md").write_text(RULE)
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    (folder / ".gemini").mkdir()
    settings = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    (folder / ".gemini" / "settings.json").write_text(json.dumps(settings))
    return project


def gemini_write(project: Path, module: str) -> Block:
    """A call that writes a.py."""
    arguments = {"file_path": str(project / "a.py"), "content": f"import {module}\n"}
    return {"type": "tool_use", "name": "write_file", "input": arguments}


@contextmanager
def serving(
    answers: Sequence[list[Block]], unfinished: Sequence[int] = (), model_type: type[GeminiModel] = GeminiModel
) -> Iterator[tuple[GeminiModel, ModelServer]]:
    """A model with these answers, and its server. The `unfinished` ones, by number, end when they are cancelled."""
    model = model_type(answers)
    server = ModelServer(model, gemini_sse, Aside([[{"type": "text", "text": "x"}]] * 9))
    server.unfinished.update(unfinished)
    try:
        yield model, server
    finally:
        server.close()


def gemini_environ(home: Path, url: str) -> dict[str, str]:
    """The environment of Gemini CLI and of what it starts.

    Gemini CLI does not start itself again with more memory, which would take as long as the start.
    """
    own = {"HOME": str(home), "XDG_STATE_HOME": str(home / "state")}
    model = {"GOOGLE_GEMINI_BASE_URL": url, "GEMINI_API_KEY": "none", "GEMINI_CLI_TRUST_WORKSPACE": "true"}
    model["GEMINI_CLI_NO_RELAUNCH"] = "true"
    return {**os.environ, **own, **model}
