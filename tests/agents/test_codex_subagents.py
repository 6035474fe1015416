"""Subagents of the real Codex: threads of their own, whose hooks name the session of the thread that started them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.agents.codex_trust import trust_hooks
from tests.agents.driven_agents import AGENTS
from tests.agents.hooked_agents import codex, ours
from tests.agents.responses_server import ResponsesServer
from tests.fork_server import program
from tests.loopback_ports import free_port
from ttsr_ls.session.history.turn_events import InjectionCommitted, RuleTriggered, TurnEnded, TurnStarted
from ttsr_ls.store.hook_server_file import hook_server_address
from ttsr_ls.store.log.reader import read_log

TASK = "Write b.py"
CALLS = ["deprecated_module", "new_module"]


class SpawningModel(ResponsesServer):
    """The main agent starts a subagent, waits for it, and ends; the subagent makes two calls and says two sentences."""

    def __init__(self) -> None:
        super().__init__([])
        self.asked_by_subagent: list[dict[str, Any]] = []

    def answer(self, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
        number = len(self.requests)
        self.requests.append(body)
        prompts = [str(item["content"]) for item in body["input"] if item.get("role") == "user"]
        if any(TASK in prompt for prompt in prompts):
            calls = [{"cmd": f"printf 'import {name}\\n' > b.py"} for name in CALLS]
            said: list[str | dict[str, Any]] = [*calls, "All done.", "I ran it."]
            self.asked_by_subagent.append(body)
            return self.events(number, said[min(len(self.asked_by_subagent), len(said)) - 1])
        results = [item["output"] for item in body["input"] if item.get("type") == "function_call_output"]
        match results:
            case []:
                return self._call(number, "spawn_agent", {"message": TASK})
            case [spawned]:
                return self._call(number, "wait_agent", {"targets": [json.loads(spawned)["agent_id"]]})
            case _:
                return self.events(number, "It is over.")

    def _call(self, number: int, name: str, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        for event in self.events(number, {"cmd": ""}):
            if "item" in event:
                event["item"] |= {"name": name, "namespace": "multi_agent_v1"}
                event["item"]["arguments"] = event["item"]["arguments"] and json.dumps(arguments)
            yield event


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("CODEX_HOME", raising=False)
    rules = tmp_path / "shop" / ".omp" / "rules"
    rules.mkdir(parents=True)
    (rules / "no-old.md").write_text("---\ncondition: deprecated_module\n---\nUse new_module.\n")
    (rules / "no-done.md").write_text("---\ncondition: All done\nscope: text\n---\nSay what you ran.\n")
    subprocess.run(["git", "init", "-q", str(rules.parents[1])], check=True)
    monkeypatch.chdir(rules.parents[1])
    hook_server_address(tmp_path / "state", free_port())
    ours("install", "codex")
    ours("hooks", "ensure")
    yield rules.parents[1]
    ours("hooks", "stop")


def test_hooks_deny_and_continue_a_subagent_within_the_turn_of_its_agent(project: Path) -> None:
    model = SpawningModel()
    finished = codex(model)
    assert finished.returncode == 0, finished.stderr
    assert (project / "b.py").read_text() == "import new_module\n"
    asked = [json.dumps(body["input"]) for body in model.asked_by_subagent]
    assert ["Use new_module." in asked[1], "Say what you ran." in asked[3]] == [True, True]
    (log,) = (project.parent / "state" / "ttsr-ls").glob("shop-*/*.jsonl")
    events = [record.event for record in read_log(log).records]
    # The prompt of the subagent begins no turn, and ends none.
    assert [type(event) for event in events if isinstance(event, TurnStarted | TurnEnded)] == [TurnStarted, TurnEnded]
    (injected,) = (event for event in events if isinstance(event, InjectionCommitted))
    assert (injected.rules, injected.injection.agent != "main") == (("no-done",), True)


def test_the_proxy_interrupts_a_subagent_as_an_agent_of_its_own(project: Path) -> None:
    model = SpawningModel()
    command = [*program("run"), "--proxy", "--program", os.environ["TTSR_CODEX"], "codex", "--", "exec"]
    options = ["--skip-git-repo-check", *AGENTS["codex"].configure(project.parent, model.url)]
    try:
        run = subprocess.run(
            [*command, *options, "Go"],
            env={**os.environ, "OUR_KEY": "none"}, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
    finally:
        model.close()
    assert (run.returncode, "2 interrupted" in run.stderr) == (0, True), run.stderr
    assert (project / "b.py").read_text() == "import new_module\n"
    (log,) = (project.parent / "state" / "ttsr-ls").glob("shop-*/*.jsonl")
    events = [record.event for record in read_log(log).records]
    agents = {event.agent for event in events if isinstance(event, RuleTriggered)}
    assert [agent.startswith("conversation-") for agent in agents] == [True]
    assert not any(TASK in str(event) for event in events if isinstance(event, TurnStarted))


def test_hooks_leave_a_subagent_of_a_run_to_the_run(project: Path) -> None:
    trust_hooks(os.environ["TTSR_CODEX"])
    model = SpawningModel()
    agent = AGENTS["codex"]
    command = [*program("run"), "codex", "--program", os.environ[agent.program], "--prompt", "Go"]
    try:
        run = subprocess.run(
            [*command, "--", *agent.configure(project.parent, model.url)],
            env={**os.environ, **agent.environ}, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
    finally:
        model.close()
    assert run.returncode == 0, run.stderr
    assert model.asked_by_subagent
    assert "This tool call was not run" not in json.dumps([body["input"] for body in model.requests])
    # One record of it all: that of the run.
    (log,) = (project.parent / "state" / "ttsr-ls").glob("shop-*/*.jsonl")
    triggers = [record.event for record in read_log(log).records if isinstance(record.event, RuleTriggered)]
    assert sorted(event.rule for event in triggers) == ["no-done", "no-old"]
