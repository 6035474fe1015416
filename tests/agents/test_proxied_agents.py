"""Real agents behind the proxy: a task whose first answer breaks a rule ends with the corrected file on disk.

The scripted model refuses each request that the real API would refuse.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.agents.driven_agents import OPENCODE, without_known_models
from tests.agents.hooked_agents import codex_patches_in_its_shell, patch_of_a_file
from tests.bridge.proxy.anthropic_model import AnthropicModel, Block, call, sse, text, thinking, write
from tests.bridge.proxy.chat_model import ChatModel, data_sse
from tests.bridge.proxy.openai_models import ResponsesModel
from tests.bridge.proxy.validating_server import Model, ModelServer
from tests.fork_server import program

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
    command = [*program("run"), "--proxy", "--program", os.environ[variable]]
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
        process = proxied(
            project, "claude", "TTSR_CLAUDE", "-p", "Write a.py", "--permission-mode", "acceptEdits", environ=environ
        )
        assert (process.returncode, server.refusals) == (0, []), process.stderr
        assert process.stdout == "Written.\n"
        assert (project / "a.py").read_text() == "import new_module\n"
        assert "deprecated_module" not in json.dumps(model.requests[2]["messages"])
        assert "Use new_module." in json.dumps(model.requests[2]["messages"])
        lines = process.stderr.splitlines()
        assert lines[0].startswith("ttsr-ls: claude is protected by 1 rule (127.0.0.1:")
        assert lines[1].startswith("ttsr-ls: no-old interrupted the answer at ")
        assert lines[-1] == "ttsr-ls: 3 answers inspected, 1 interrupted."
        # A resumed session goes on with the model's view of the conversation, behind another proxy.
        model.answers = [*model.answers, [text("Bye.")]]
        process = proxied(project, "claude", "TTSR_CLAUDE", "-c", "-p", "And now?", environ=environ)
        assert (process.returncode, process.stdout, server.refusals) == (0, "Bye.\n", []), process.stderr
        assert model.requests[3]["messages"][0] == model.requests[2]["messages"][0]
        assert '"kind":"InjectionCommitted"' in session_log(project)
    finally:
        server.close()


def responses_call(command: str) -> dict[str, Any]:
    return {"type": "tool_use", "name": "exec_command", "input": {"cmd": command}}


def with_codex(project: Path, answers: list[list[Block]], name: str) -> tuple[list[str], ResponsesModel]:
    """Has Codex write `a.py` by a model of this name. Returns what the proxy says, and the model that was asked."""
    model = ResponsesModel(answers)
    server = ModelServer(model, sse)
    provider = f'{{name="ours",base_url="{server.url}/v1",env_key="OUR_KEY",wire_api="responses"}}'
    settings = ["-c", 'model_provider="ours"', "-c", f"model_providers.ours={provider}", "-m", name]
    command = ["exec", "--skip-git-repo-check", "-s", "danger-full-access", *settings, "Write a.py"]
    try:
        process = proxied(project, "codex", "TTSR_CODEX", *command, environ={"OUR_KEY": "none"})
    finally:
        server.close()
    assert (process.returncode, server.refusals) == (0, []), process.stderr
    assert (project / "a.py").read_text() == "import new_module\n"
    return process.stderr.splitlines(), model


def test_codex_writes_what_the_rule_asks_for(project: Path) -> None:
    def write_by_shell(module: str) -> dict[str, Any]:
        return responses_call(f"printf 'import {module}\\n' > a.py")

    old, new = write_by_shell("deprecated_module"), write_by_shell("new_module")
    answers = [[thinking("Old."), text("I write it."), old], [thinking("New."), new], [text("Written.")]]
    lines, model = with_codex(project, answers, "m")
    assert "deprecated_module" not in json.dumps(model.requests[2]["input"])
    assert json.dumps(model.requests[2]["input"]).count("Use new_module.") == 1
    assert lines[-1] == "ttsr-ls: 3 answers inspected, 1 interrupted."


@pytest.mark.parametrize("form", ["tool", "shell"])
def test_a_patch_of_codex_is_a_write_to_its_files(project: Path, form: str) -> None:
    (project / ".omp" / "rules" / "no-old.md").write_text(RULE.replace("---\nUse", "scope: tool:write(*.py)\n---\nUse"))

    def patch(module: str) -> dict[str, Any]:
        if form == "shell":
            return responses_call(codex_patches_in_its_shell(module)["cmd"])
        return {"type": "tool_use", "name": "apply_patch", "input": patch_of_a_file(module)}

    answers = [[patch("deprecated_module")], [patch("new_module")], [text("Written.")]]
    # Only models that Codex knows are offered the tool.
    lines, model = with_codex(project, answers, "gpt-5.5")
    assert "deprecated_module" not in json.dumps(model.requests[1]["input"])
    assert lines[-1] == "ttsr-ls: 3 answers inspected, 1 interrupted."


def test_codex_with_its_own_provider_and_a_key_passes_the_proxy(project: Path) -> None:
    model = ResponsesModel([[responses_call("printf deprecated_module > a.py")], [text("Then not.")]])
    server = ModelServer(model, sse)
    home = project.parent / ".codex"
    home.mkdir()
    (home / "config.toml").write_text(f'openai_base_url = "{server.url}/v1"\nmodel = "m"\n')
    (home / "auth.json").write_text(json.dumps({"OPENAI_API_KEY": "sk-own"}))
    command = ["exec", "--skip-git-repo-check", "-s", "danger-full-access", "Write a.py"]
    try:
        process = proxied(project, "codex", "TTSR_CODEX", *command, environ={})
    finally:
        server.close()
    assert (process.returncode, server.refusals) == (0, []), process.stderr
    assert process.stderr.splitlines()[-1] == "ttsr-ls: 2 answers inspected, 1 interrupted."
    assert server.headers[0]["Authorization"] == "Bearer sk-own"
    assert not (project / "a.py").exists()


def test_claude_code_whose_settings_name_an_address_passes_the_proxy(project: Path) -> None:
    model = AnthropicModel([[text("Deprecated_module? No: deprecated_module.")], [text("new_module.")]])
    server = ModelServer(model, sse, AnthropicModel([[text("Title")]] * 9))
    (project.parent / ".claude").mkdir()
    settings = {"env": {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "none"}}
    (project.parent / ".claude" / "settings.json").write_text(json.dumps(settings))
    try:
        process = proxied(project, "claude", "TTSR_CLAUDE", "-p", "Which module?", environ={})
    finally:
        server.close()
    assert (process.returncode, server.refusals) == (0, []), process.stderr
    assert "deprecated_module" not in process.stdout
    assert "new_module." in process.stdout


PI_APIS: dict[str, tuple[Callable[[list[list[Block]]], Model], Callable[[Sequence[dict[str, Any]]], bytes], str]] = {
    "anthropic-messages": (AnthropicModel, sse, ""),
    "openai-responses": (ResponsesModel, sse, "/v1"),
}
"""The third one is that of the next test."""


@pytest.mark.parametrize("api", PI_APIS)
def test_pi_writes_what_the_rule_asks_for(project: Path, api: str) -> None:
    make, encode, path = PI_APIS[api]
    target = str(project / "a.py")

    def pi_write(module: str) -> Block:
        return {"type": "tool_use", "name": "write", "input": {"path": target, "content": f"import {module}\n"}}

    model = make([[text("I write it."), pi_write("deprecated_module")], [pi_write("new_module")], [text("Written.")]])
    server = ModelServer(model, encode)
    use_fake_provider(project, server.url + path, api)
    try:
        process = proxied(project, "pi", "TTSR_PI", "-p", "--model", "fake/m", "Write a.py", environ={})
    finally:
        server.close()
    assert (process.returncode, server.refusals) == (0, []), process.stderr
    assert process.stderr.splitlines()[-1] == "ttsr-ls: 3 answers inspected, 1 interrupted."
    assert (project / "a.py").read_text() == "import new_module\n"
    assert json.dumps(model.requests[2]).count("Use new_module.") == 1


def test_pi_writes_what_the_rule_asks_for_and_never_sees_the_calls_that_features_answer(project: Path) -> None:
    def pi_write(module: str) -> Block:
        arguments = {"path": str(project / "a.py"), "content": f"import {module}\n"}
        return {"type": "tool_use", "name": "write", "input": arguments}

    (project / "ttsr-ls.toml").write_text('features = ["tasks"]\n')
    plan = [text("I plan."), call("TaskCreate", subject="Write a.py", description="As asked.")]
    model = ChatModel(
        [plan, [pi_write("deprecated_module")], [pi_write("new_module")], [call("TaskList")], [text("Written.")]]
    )
    server = ModelServer(model, data_sse)
    use_fake_provider(project, f"{server.url}/v1", "openai-completions")
    try:
        process = proxied(project, "pi", "TTSR_PI", "-p", "--model", "fake/m", "Write a.py", environ={})
    finally:
        server.close()
    assert (process.returncode, server.refusals) == (0, []), process.stderr
    assert (project / "a.py").read_text() == "import new_module\n"
    assert process.stdout.endswith("Written.\n")
    assert json.dumps(model.requests[3]).count("Use new_module.") == 1
    assert "1. [pending] Write a.py" in json.dumps(model.requests[4])
    assert (
        process.stderr.splitlines()[-1] == "ttsr-ls: 5 answers inspected, 1 interrupted, 2 calls answered by features."
    )


def use_fake_provider(project: Path, url: str, api: str) -> None:
    agent = project.parent / ".pi" / "agent"
    agent.mkdir(parents=True)
    fake = {"baseUrl": url, "apiKey": "none", "api": api, "models": [{"id": "m"}]}
    (agent / "models.json").write_text(json.dumps({"providers": {"fake": fake}}))


def test_opencode_writes_what_the_rule_asks_for(project: Path) -> None:
    def opencode_write(module: str) -> Block:
        arguments = {"filePath": str(project / "a.py"), "content": f"import {module}\n"}
        return {"type": "tool_use", "name": "write", "input": arguments}

    answers = [[text("I write."), opencode_write("deprecated_module")], [opencode_write("new_module")], [text("Done.")]]
    model = ChatModel(answers)
    server = ModelServer(model, data_sse, ChatModel([[text("Title")]] * 9))
    options = {"baseURL": f"{server.url}/v1", "apiKey": "none"}
    fake = {"npm": "@ai-sdk/openai-compatible", "name": "F", "options": options, "models": {"m": {"name": "m"}}}
    environ = {**OPENCODE, **without_known_models(project.parent)}
    (project / "opencode.json").write_text(json.dumps({"provider": {"fake": fake}}))
    try:
        process = proxied(project, "opencode", "TTSR_OPENCODE", "run", "-m", "fake/m", "Write a.py", environ=environ)
    finally:
        server.close()
    assert (process.returncode, server.refusals) == (0, []), process.stderr
    assert process.stderr.splitlines()[-1] == "ttsr-ls: 3 answers inspected, 1 interrupted."
    assert (project / "a.py").read_text() == "import new_module\n"
    assert json.dumps(model.requests[2]["messages"]).count("Use new_module.") == 1
