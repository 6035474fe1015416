"""Real agents under `ttsr-ls run`, each with a scripted model on loopback and a home of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from tests.agents.responses_server import ResponsesServer
from tests.fork_server import program
from tests.loopback_ports import free_port
from tests.recorders.messages_server import Block, MessagesServer, Text, ToolUse
from ttsr_ls.bridge.agent_hooks.client.client_script import CLIENT_NAME
from ttsr_ls.store.hook_server_file import hook_server_address

ROOT = Path(__file__).parents[2]


class Model(Protocol):
    """A scripted model."""

    requests: list[dict[str, Any]]

    @property
    def url(self) -> str: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class FinishedRun:
    """What came of a run: what it wrote to `a.py`, where its session log is, and what the model was asked."""

    returncode: int
    stdout: str
    stderr: str
    written: str
    log: Path
    requests: list[dict[str, Any]]


@dataclass(frozen=True)
class DrivenAgent:
    """`model` starts a model that first writes `a.py` with the first module, then with the second, then says a word;
    `configure` writes settings for it into a home and gives the agent's arguments."""

    name: str
    program: str
    model: Callable[[Path, Sequence[str]], Model]
    configure: Callable[[Path, str], list[str]]
    environ: dict[str, str] = field(default_factory=dict)


def messages_model(tool: str, path: str, calls: int = 1) -> Callable[[Path, Sequence[str]], Model]:
    """`calls` is how often the written file calls its module, for agents that must be interrupted while they write."""

    def start(project: Path, said: Sequence[str]) -> Model:
        def write(module: str) -> list[Block]:
            content = f"import {module}\n\n\ndef main() -> None:\n" + f"    {module}.run()\n" * calls
            return [ToolUse(tool, {path: str(project / "a.py"), "content": content})]

        answers = [write(item) if item.endswith("_module") else [Text(item)] for item in said]
        return MessagesServer(answers, [], seed=3)

    return start


def responses_model(project: Path, said: Sequence[str]) -> Model:
    answers = [{"cmd": f"printf 'import {item}\\n' > a.py"} if item.endswith("_module") else item for item in said]
    return ResponsesServer(answers)


CLAUDE = {"ANTHROPIC_API_KEY": "none", "DISABLE_TELEMETRY": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}


def _claude(_home: Path, url: str) -> list[str]:
    return ["--permission-mode", "acceptEdits", "--settings", json.dumps({"env": {"ANTHROPIC_BASE_URL": url}})]


def _codex(_home: Path, url: str) -> list[str]:
    provider = f'{{name="ours",base_url="{url}/v1",env_key="OUR_KEY",wire_api="responses"}}'
    settings = ['model_provider="ours"', f"model_providers.ours={provider}", 'model="m"', 'approval_policy="never"']
    settings.append('sandbox_mode="danger-full-access"')
    return [part for setting in settings for part in ("-c", setting)]


OPENCODE = {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1", "BUN_JSC_useFTLJIT": "0"}
"""The last one keeps the engine from compiling for a long run."""


def without_known_models(home: Path) -> dict[str, str]:
    """The variable that has opencode know no models but those of its settings, instead of thousands."""
    (home / "models.json").write_text("{}")
    return {"OPENCODE_MODELS_PATH": str(home / "models.json")}


def _opencode(home: Path, url: str) -> list[str]:
    options = {"baseURL": f"{url}/v1", "apiKey": "none"}
    models = {"m": {"name": "m", "limit": {"context": 200_000, "output": 8_000}}}
    ours = {"npm": "@ai-sdk/anthropic", "options": options, "models": models}
    folder = home / ".config" / "opencode"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "opencode.json").write_text(json.dumps({"model": "ours/m", "provider": {"ours": ours}}))
    return []


def _pi(home: Path, url: str) -> list[str]:
    folder = home / ".pi" / "agent"
    folder.mkdir(parents=True, exist_ok=True)
    ours = {"baseUrl": url, "api": "anthropic-messages", "apiKey": "none", "models": [{"id": "m"}]}
    (folder / "models.json").write_text(json.dumps({"providers": {"ours": ours}}))
    return ["--provider", "ours", "--model", "m"]


def _omp(home: Path, url: str) -> list[str]:
    folder = home / ".omp" / "agent"
    folder.mkdir(parents=True, exist_ok=True)
    ours = {"baseUrl": url, "api": "anthropic-messages", "apiKey": "none", "models": [{"id": "m", "name": "m"}]}
    (folder / "models.yml").write_text(json.dumps({"providers": {"ours": ours}}))
    return ["--model", "ours/m", "--no-title"]


AGENTS = {
    "claude": DrivenAgent("claude", "TTSR_CLAUDE", messages_model("Write", "file_path"), _claude, CLAUDE),
    "codex": DrivenAgent("codex", "TTSR_CODEX", responses_model, _codex, {"OUR_KEY": "none"}),
    "opencode": DrivenAgent("opencode", "TTSR_OPENCODE", messages_model("write", "path", 6), _opencode, OPENCODE),
    "pi": DrivenAgent("pi", "TTSR_PI", messages_model("write", "path"), _pi),
    "omp": DrivenAgent("omp", "TTSR_OMP", messages_model("write", "path"), _omp),
}


RULE = "---\ncondition: deprecated_module\n---\nUse new_module.\n"
PROSE = "I take the deprecated_module for this, because it is familiar, and go on for many more words about it. " * 4


@dataclass(frozen=True)
class Scenario:
    """What the model says in turn, the rules, and what is configured beside them."""

    said: Sequence[str]
    rules: Mapping[str, str] = field(default_factory=lambda: {"no-old": RULE})
    settings: str = ""
    arguments: Sequence[str] = ()
    is_repository: bool = True
    has_hooks: bool = False
    """The agent's hooks are installed and trusted, too."""
    is_suspended: bool = False
    """The run stands still from the first request of the model until long after its answer."""


SCENARIOS = {
    # One run shows each kind of reaction, because an agent takes seconds to start.
    "prose, a call, and a rule that does not interrupt": Scenario(
        [PROSE, "ancient_module", "unchecked_module", "new_module", "Put right."],
        rules={
            "no-old": RULE,
            "no-ancient": "---\ncondition: ancient_module\n---\nTake none that is gone.\n",
            "no-unchecked": "---\ncondition: unchecked_module\ninterruptMode: never\n---\nPut it right.\n",
        },
    ),
    # Outside of a repository, opencode loads its models in the background.
    "prose that is kept": Scenario(
        [PROSE, "new_module", "Written."], settings="ttsr:\n  contextMode: keep\n", is_repository=False
    ),
    # Where the call ends before the message arrives, Codex has asked for an answer already, and drops it.
    "sandboxed call": Scenario(
        ["deprecated_module", "new_module", "new_module", "Written."],
        arguments=["-c", 'sandbox_mode="workspace-write"'],
    ),
    "call with hooks": Scenario(["deprecated_module", "new_module", "Written."], has_hooks=True),
    "suspended run": Scenario(["deprecated_module", "new_module", "Written."], is_suspended=True),
    "no repository": Scenario(["new_module", "Written."], is_repository=False),
}


def run_scenario(agent: DrivenAgent, scenario: Scenario, home: Path) -> FinishedRun:
    """Runs the agent in an empty folder that is its home, with a scripted model."""
    project, log = home / "shop", home / "session.jsonl"
    rules = project / ".omp" / "rules"
    rules.mkdir(parents=True)
    for name, text in scenario.rules.items():
        (rules / f"{name}.md").write_text(text)
    if scenario.settings:
        (project / ".omp" / "config.yml").write_text(scenario.settings)
    if scenario.is_repository:
        subprocess.run(["git", "init", "-q", str(project)], check=True)
    model = agent.model(project, scenario.said)
    arguments = [*agent.configure(home, model.url), *scenario.arguments]
    environ = {**os.environ, "HOME": str(home), "PYTHONPATH": str(ROOT), **agent.environ, **without_known_models(home)}
    if scenario.has_hooks:
        install_hooks(agent, home, environ)
    ours = [sys.executable, "-m", "ttsr_ls", "run"] if scenario.is_suspended else program("run")
    command = [*ours, agent.name, "--program", os.environ[agent.program]]
    command += ["--prompt", "Write a.py", "--log", str(log), "--", *arguments]
    try:
        with subprocess.Popen(
            command,
            cwd=project,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            if scenario.is_suspended:
                _suspend_after_request(process, model)
            try:
                stdout, stderr = process.communicate(timeout=300)
            except BaseException:
                process.kill()
                raise
    finally:
        model.close()
        if scenario.has_hooks:
            call_ours(environ, "hooks", "stop")
    target = project / "a.py"
    written = target.read_text() if target.exists() else ""
    return FinishedRun(process.returncode, stdout, stderr, written, log, model.requests)


def _suspend_after_request(process: subprocess.Popen[str], model: Model) -> None:
    """Stops the process when the model is first asked, and lets it go on when an agent would have run the call."""
    deadline = time.monotonic() + 120
    while not model.requests and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGSTOP)
    time.sleep(3)
    process.send_signal(signal.SIGCONT)


HOOK_CALLS = "hook-calls"
"""The file in the home of Codex that gets a line when its client script runs."""


def install_hooks(agent: DrivenAgent, home: Path, environ: dict[str, str]) -> None:
    """Installs the hooks of the agent, and has it trust them."""
    environ["XDG_STATE_HOME"] = str(home / "state")
    hook_server_address(home / "state", free_port())
    call_ours(environ, "install", agent.name)
    if agent.name == "codex":
        command = [sys.executable, "-m", "tests.agents.codex_trust", os.environ[agent.program]]
        subprocess.run(command, env=environ, cwd=home / "shop", check=True, timeout=60)
        (script,) = (home / "state").rglob(CLIENT_NAME)
        shell, rest = script.read_text().split("\n", 1)
        script.write_text(f"{shell}\necho called >> {home / HOOK_CALLS}\n{rest}")


def call_ours(environ: dict[str, str], command: str, *arguments: str) -> None:
    """Runs `ttsr-ls`, which must succeed."""
    process = [*program(command), *arguments]
    subprocess.run(process, env=environ, stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=60)
