"""Ten turns of a real Claude Code behind the proxy: interrupts, subagents, a compaction, and a proxy that is killed.

The scripted model refuses a request whose history is not what it saw before: each signature of thinking is bound to
the conversation before it.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.agents.test_proxied_agents import IDLE
from tests.bridge.proxy.anthropic_model import AnthropicModel, Block, call, sse, text, thinking, write
from tests.bridge.proxy.proxy_processes import PATH_KEY, proxy_process
from tests.bridge.proxy.validating_server import ModelServer
from tests.loopback_ports import free_port
from ttsr_ls.session.history.turn_events import InjectionCommitted, OutputInterrupted
from ttsr_ls.store.log.reader import read_log

INTERRUPTED = (1, 3, 9)
DELEGATED, COMPACTED, TURNS = 5, 7, 10
TASKS = ("SUBTASK one", "SUBTASK two")
RULE = "---\ncondition: deprecated_{0}\n---\nUse new_{0}.\n"


class LongTask(AnthropicModel):
    """Answers by what a request is about: how many requests an agent makes is its own business."""

    def __init__(self, folder: Path) -> None:
        super().__init__([])
        self._folder = folder
        self.kinds: Counter[str] = Counter()

    def answer(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        return super().answer(as_compacted(body))

    def message(self, body: dict[str, Any]) -> dict[str, Any]:
        return super().message(as_compacted(body))

    def _blocks(self, number: int, body: dict[str, Any]) -> list[Block]:
        self.answers = {number: self._chosen(body)}  # type: ignore[assignment]
        return super()._blocks(number, body)

    def _chosen(self, body: dict[str, Any]) -> list[Block]:
        messages = body["messages"]
        task = next((task for task in TASKS if task in json.dumps(messages[0])), None)
        if task is not None:
            return self._works(f"{task} goes on", task.split()[1], messages, f"Done with {task}.")
        places = [place for place, message in enumerate(messages) if "TURN " in said_by_user(message)]
        if not places or "summary" in said_by_user(messages[-1]):
            self.kinds["compaction"] += 1
            return [text("<summary>The person counts turns.</summary>")]
        turn = int(said_by_user(messages[places[-1]]).rpartition("TURN ")[2].split()[0])
        rest = messages[places[-1] :]
        if turn == DELEGATED and len(rest) < 2:
            given = {"subagent_type": "general-purpose", "run_in_background": False}
            return [thinking("Two."), *(call("Agent", description=task, prompt=task, **given) for task in TASKS)]
        if turn in INTERRUPTED:
            return self._works(f"Turn {turn}", str(turn), rest, f"End of turn {turn}.")
        return [thinking(f"Turn {turn}."), text(f"End of turn {turn}.")]

    def _works(self, thought: str, name: str, messages: list[dict[str, Any]], end: str) -> list[Block]:
        if any(message["role"] == "assistant" for message in messages):
            return [thinking(f"{thought}, over."), text(end)]
        is_reminded = f"Use new_{name}." in json.dumps(messages)
        self.kinds["corrected" if is_reminded else "broken"] += 1
        module = f"{'new' if is_reminded else 'deprecated'}_{name}"
        return [thinking(f"{thought}: {module}"), write(f"import {module}\n", str(self._folder / f"{name}.py"))]


def as_compacted(body: dict[str, Any]) -> dict[str, Any]:
    """The request without what Claude Code itself keeps behind its summary of a conversation: the last answer, whose
    thinking was for the conversation before, and a message of the system that has no text."""
    messages = body["messages"]
    if not said_by_user(messages[0]).startswith("This session is being continued"):
        return body
    kept = [message for message in messages if message["content"]]
    last = next(place for place, message in enumerate(kept) if message["role"] == "assistant")
    blocks = [block for block in kept[last]["content"] if block["type"] != "thinking"]
    return {**body, "messages": [*kept[:last], {**kept[last], "content": blocks}, *kept[last + 1 :]]}


def said_by_user(message: dict[str, Any]) -> str:
    if message["role"] != "user":
        return ""
    content = message["content"]
    blocks = [text(content)] if isinstance(content, str) else content
    return "\n".join(block["text"] for block in blocks if block["type"] == "text")


class Claude:
    """A Claude Code that takes prompts one after the other."""

    def __init__(self, project: Path, url: str) -> None:
        home = str(project.parent)
        own = {"PATH": os.environ["PATH"], "HOME": home, "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "none"}
        command = [os.environ["TTSR_CLAUDE"], "-p", "--verbose", "--permission-mode", "acceptEdits"]
        streams = ["--input-format", "stream-json", "--output-format", "stream-json"]
        self._process = subprocess.Popen(
            [*command, *streams], cwd=project, env={**own, **IDLE}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip

    def ask(self, prompt: str) -> str:
        """The result of a turn."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        message = {"role": "user", "content": [text(prompt)]}
        self._process.stdin.write(json.dumps({"type": "user", "message": message}) + "\n")
        self._process.stdin.flush()
        for line in self._process.stdout:
            event = json.loads(line)
            if event["type"] == "result":
                return str(event.get("result"))
        raise AssertionError("the agent ended")

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.read()
        assert self._process.wait(120) == 0
        self._process.stdout.close()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    project = tmp_path / "shop"
    (project / ".omp" / "rules").mkdir(parents=True)
    (project / ".git").mkdir()
    for name in (*map(str, INTERRUPTED), "one", "two"):
        (project / ".omp" / "rules" / f"no-{name}.md").write_text(RULE.format(name))
    return project


def test_ten_turns_have_one_consistent_history(project: Path) -> None:
    model = LongTask(project)
    server = ModelServer(model, sse, AnthropicModel([[text("Title")]] * 30))
    try:
        with proxy_process(project, server.url, rules=5, port=free_port()) as (first, port):
            claude = Claude(project, f"http://127.0.0.1:{port}/s/{PATH_KEY}/anthropic")
            assert claude.ask("TURN 1") == "End of turn 1."
            assert claude.ask("TURN 2") == "End of turn 2."
            stall = server.stalls[len(server.bodies) + 1] = threading.Event()
            killer = threading.Thread(target=lambda: (server.arrived.wait(120), first.kill()))
            asking: list[str] = []
            asker = threading.Thread(target=lambda: asking.append(claude.ask("TURN 3")))
            killer.start()
            asker.start()
            killer.join()
            first.wait()
        server.stalls.clear()
        stall.set()
        with proxy_process(project, server.url, rules=5, port=port):
            asker.join()
            assert asking == ["End of turn 3."]
            for turn in range(4, TURNS + 1):
                if turn == COMPACTED:
                    claude.ask("/compact")
                assert claude.ask(f"TURN {turn}") == f"End of turn {turn}."
            claude.close()
    finally:
        server.close()
    assert server.refusals == []
    assert model.kinds["compaction"] == 1
    names = (*map(str, INTERRUPTED), "one", "two")
    assert [(project / f"{name}.py").read_text() for name in names] == [f"import new_{name}\n" for name in names]
    logs = (project.parent / "state" / "ttsr-ls").glob("shop-*/*.jsonl")
    events = [record.event for log in logs for record in read_log(log).records]
    assert sum(isinstance(event, OutputInterrupted) for event in events) == 5
    assert sum(isinstance(event, InjectionCommitted) for event in events) == 5
