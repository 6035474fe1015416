"""Codex in its own interface under `ttsr-ls run codex`: interrupted where it breaks a rule, and the person sees why."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.agents.driven_agents import AGENTS, HOOK_CALLS, ROOT, call_ours, install_hooks
from tests.agents.responses_server import ResponsesServer
from tests.agents.terminal import Terminal
from ttsr_ls.session.history.turn_events import InjectionCommitted, OutputInterrupted, TurnEnded, TurnStarted, UserInput
from ttsr_ls.store.log.reader import read_log

RULE = "---\ncondition: deprecated_module\n---\nUse new_module.\n"


class InterfaceModel(ResponsesServer):
    """Answers the request for a title of the task apart from the script."""

    def answer(self, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
        is_title = "task title" in json.dumps(body["input"])
        return self.events(999, "Replace deprecated_module") if is_title else super().answer(body)


class Interface:
    """Codex in a terminal, with a scripted model; `has_hooks`: its hooks are installed and trusted, too."""

    def __init__(
        self, folder: Path, said: Sequence[str | dict[str, Any]], *options: str, has_hooks: bool = False
    ) -> None:
        self.project = folder / "shop"
        (self.project / ".omp" / "rules").mkdir(parents=True)
        (self.project / ".omp" / "rules" / "no-old.md").write_text(RULE)
        subprocess.run(["git", "init", "-q", str(self.project)], check=True)
        self.model = InterfaceModel(said)
        self.state = folder / "state"
        agent = AGENTS["codex"]
        arguments = agent.configure(folder, self.model.url)
        arguments += [
            "-c",
            f'projects."{self.project}".trust_level="trusted"',
            "-c",
            "check_for_update_on_startup=false",
        ]
        command = [sys.executable, "-m", "ttsr_ls", "run", "codex", "--program", os.environ[agent.program]]
        environ = {**os.environ, "HOME": str(folder), "XDG_STATE_HOME": str(self.state), "TERM": "xterm-256color"}
        environ |= {"PYTHONPATH": str(ROOT), **agent.environ}
        environ.pop("CODEX_HOME", None)
        self.environ, self.has_hooks = environ, has_hooks
        if has_hooks:
            install_hooks(agent, folder, environ)
        self.terminal = Terminal([*command, *options, "--", *arguments], self.project, environ)

    def ask(self, prompt: str) -> None:
        self.terminal.wait_for(lambda: "? for shortcuts" in self.terminal.text and "m default" in self.terminal.text)
        self.terminal.type(prompt)
        self.terminal.wait_for(lambda: f"› {prompt}" in self.terminal.text)
        self.terminal.type("\r")

    def leave(self) -> int:
        # Before the turn is over, Ctrl-C interrupts it.
        self.terminal.wait_for(lambda: "Worked for" in self.terminal.text)
        self.terminal.type("\x03")
        return self.terminal.wait()

    def asked(self, number: int) -> str:
        return json.dumps(self.model.requests[number]["input"])

    def close(self) -> None:
        self.terminal.close()
        self.model.close()
        if self.has_hooks:
            call_ours(self.environ, "hooks", "stop")


def write(module: str) -> dict[str, str]:
    return {"cmd": f"printf 'import {module}\\n' > a.py"}


def test_a_call_is_prevented_and_corrected_in_the_interface(tmp_path: Path) -> None:
    codex = Interface(tmp_path, [write("deprecated_module"), write("new_module"), "It is written."])
    try:
        codex.ask("Write a.py")
        codex.terminal.wait_for(lambda: "It is written." in codex.terminal.text)
        assert (codex.project / "a.py").read_text() == "import new_module\n"
        assert "Use new_module." in codex.asked(1)
        assert "import deprecated_module" not in codex.asked(1)
        assert codex.leave() == 0
    finally:
        codex.close()
    # What rules did is printed when the terminal is ours again.
    assert "1 trigger, 1 interrupt." in codex.terminal.text
    assert "ttsr-ls run codex -- resume" in codex.terminal.text
    (log,) = codex.state.rglob("*.jsonl")
    events = [record.event for record in read_log(log).records]
    kinds = (TurnStarted, OutputInterrupted, InjectionCommitted, TurnEnded)
    assert [type(event) for event in events if isinstance(event, kinds)] == list(kinds)
    assert [event.trigger for event in events if isinstance(event, TurnStarted)] == [UserInput("Write a.py")]


def test_trusted_hooks_leave_a_call_in_the_interface_to_the_run(tmp_path: Path) -> None:
    said: list[str | dict[str, Any]] = [write("deprecated_module"), write("new_module"), "It is written."]
    codex = Interface(tmp_path, said, has_hooks=True)
    try:
        codex.ask("Write a.py")
        codex.terminal.wait_for(lambda: "It is written." in codex.terminal.text)
        assert codex.leave() == 0
    finally:
        codex.close()
    assert (codex.project / "a.py").read_text() == "import new_module\n"
    assert codex.asked(1).count("Use new_module.") == 1
    # The hooks ran, and the hook server has no session of its own.
    assert (tmp_path / HOOK_CALLS).read_text().count("called") >= 2
    (log,) = codex.state.rglob("*.jsonl")
    kinds = [type(record.event) for record in read_log(log).records]
    assert kinds.count(InjectionCommitted) == 1


def test_prose_is_interrupted_in_the_interface(tmp_path: Path) -> None:
    codex = Interface(tmp_path, ["I take deprecated_module.", "I take new_module."], "--no-log")
    try:
        codex.ask("Which one?")
        codex.terminal.wait_for(lambda: "I take new_module." in codex.terminal.text)
        assert "Use new_module." in codex.asked(1)
        assert "I take deprecated_module" not in codex.asked(1)
    finally:
        codex.close()
    assert not list(codex.state.rglob("*.jsonl"))
