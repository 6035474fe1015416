"""Real agents with installed hooks: each is denied what a rule forbids, and the corrected file is on disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.agents.responses_server import ResponsesServer
from tests.cli.install.free_port import free_port
from tests.recorders.messages_server import MessagesServer, Text, ToolUse
from ttsr_ls.store.hook_server_file import hook_server_address

RULE = "---\ncondition: deprecated_module\n---\nUse new_module.\n"
IDLE = {"DISABLE_TELEMETRY": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name, value in IDLE.items():
        monkeypatch.setenv(name, value)
    project = tmp_path / "shop"
    (project / ".omp" / "rules").mkdir(parents=True)
    (project / ".omp" / "rules" / "no-old.md").write_text(RULE)
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    monkeypatch.chdir(project)
    hook_server_address(tmp_path / "state", free_port())
    yield project
    ours("hooks", "stop")


def ours(*arguments: str) -> str:
    command = [sys.executable, "-m", "ttsr_ls", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def theirs(variable: str, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [os.environ[variable], *arguments],
        env={**os.environ, **environ},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_claude_code_is_denied_and_corrects_its_file(project: Path) -> None:
    def write(module: str) -> ToolUse:
        return ToolUse("Write", {"file_path": str(project / "a.py"), "content": f"import {module}\n"})

    server = MessagesServer([[write("deprecated_module")], [write("new_module")], [Text("Written.")]], [], seed=3)
    ours("install", "claude")
    try:
        ran = theirs(
            "TTSR_CLAUDE", "-p", "Write a.py", "--permission-mode", "acceptEdits",
            ANTHROPIC_BASE_URL=server.url, ANTHROPIC_API_KEY="none",
        )  # fmt: skip
    finally:
        server.close()
    assert (ran.returncode, server.served) == (0, 3), ran.stderr
    assert (project / "a.py").read_text() == "import new_module\n"
    (log,) = (project.parent / "state" / "ttsr-ls").glob("shop-*/*.jsonl")
    assert '"kind":"RuleTriggered"' in log.read_text()
    assert "deprecated_module" not in (project / "a.py").read_text()


def test_claude_code_continues_where_its_answer_breaks_a_rule(project: Path) -> None:
    (project / ".omp" / "rules" / "no-done.md").write_text(
        "---\ncondition: all done\nscope: text\n---\nSay what you ran.\n"
    )
    server = MessagesServer([[Text("It is all done.")], [Text("I ran the tests: 3 passed.")]], [], seed=3)
    ours("install", "claude")
    try:
        ran = theirs("TTSR_CLAUDE", "-p", "Go", ANTHROPIC_BASE_URL=server.url, ANTHROPIC_API_KEY="none")
    finally:
        server.close()
    assert server.served == 2, ran.stderr
    assert "3 passed" in ran.stdout


def test_codex_is_denied_and_corrects_its_file(project: Path) -> None:
    def write(module: str) -> dict[str, Any]:
        return {"cmd": f"printf 'import {module}\\n' > a.py"}

    server = ResponsesServer([write("deprecated_module"), write("new_module"), "Written."])
    ours("install", "codex")
    ours("hooks", "ensure")
    provider = f'{{name="ours",base_url="{server.url}/v1",env_key="OUR_KEY",wire_api="responses"}}'
    settings = ["-c", 'model_provider="ours"', "-c", f"model_providers.ours={provider}", "-c", 'model="m"']
    command = ["exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "-s", "danger-full-access"]
    try:
        ran = theirs("TTSR_CODEX", *command, *settings, "Write a.py", OUR_KEY="none")
    finally:
        server.close()
    assert ran.returncode == 0, ran.stderr
    assert (project / "a.py").read_text() == "import new_module\n"
    results = [item for item in server.requests[1]["input"] if item.get("type") == "function_call_output"]
    assert "Use new_module." in str(results[-1]["output"])


@pytest.mark.parametrize("place", [[], ["--project"]])
def test_the_doctor_proves_it_with_the_agent_itself(project: Path, place: list[str]) -> None:
    ours("install", "claude", *place)
    path = f"{Path(os.environ['TTSR_CLAUDE']).parent}:{os.environ['PATH']}"

    def ran_again() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "ttsr_ls", "doctor", "claude"]
        environ = {**os.environ, "PATH": path}
        return subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=120)

    ran = ran_again()
    assert ran.returncode == 0, ran.stdout
    assert "ok       The agent itself, with a model on loopback, was denied a call that a rule forbids." in ran.stdout
    settings = project / ".claude" / "settings.local.json" if place else project.parent / ".claude" / "settings.json"
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"disableAllHooks": True}))
    assert ran_again().returncode == 1
