"""A controller with the driver of pi or Codex, played line by line: no process, no clock."""

from __future__ import annotations

import json
from pathlib import PurePosixPath
from typing import Any

from tests.bridge.watch.watching import MemoryLog, observer, rules
from ttsr_ls.bridge.adapters.claude.adapter import ClaudeAdapter
from ttsr_ls.bridge.adapters.codex.app_server import CodexAppServerAdapter
from ttsr_ls.bridge.adapters.opencode.adapter import OpencodeAdapter
from ttsr_ls.bridge.adapters.pi import PiAdapter
from ttsr_ls.bridge.control.controller import Controller
from ttsr_ls.bridge.control.driver import AgentDriver, LineToAgent
from ttsr_ls.bridge.control.drivers.claude import ClaudeDriver
from ttsr_ls.bridge.control.drivers.codex import CodexDriver
from ttsr_ls.bridge.control.drivers.opencode import OpencodeDriver
from ttsr_ls.bridge.control.drivers.pi import OmpDriver, PiDriver
from ttsr_ls.bridge.control.injection_text import DisplayRoots
from ttsr_ls.bridge.control.reaction import Reaction
from ttsr_ls.bridge.control.views import RunView
from ttsr_ls.rules.settings.settings import ContextMode, Settings
from ttsr_ls.session.output.agent_events import Adapter

CWD = PurePosixPath("/home/dev/shop")
NO_OLD = "---\ncondition: deprecated_module\n---\nUse new_module.\n"


class PlayedAgent:
    """Feeds lines to a controller, and collects its messages and views."""

    def __init__(
        self,
        driver: AgentDriver,
        adapter: Adapter,
        *,
        log: MemoryLog | None = None,
        context: ContextMode = ContextMode.DISCARD,
        texts: dict[str, str] | None = None,
    ) -> None:
        settings = Settings(context_mode=context)
        self.log = MemoryLog() if log is None else log
        watching = observer(self.log, rules(**(texts or {"no_old": NO_OLD})), settings=settings)
        watching.start(0)
        self.driver = driver
        self.controller = Controller(driver, adapter, watching, settings, DisplayRoots(CWD, PurePosixPath("/home/dev")))
        self.sent: list[dict[str, Any]] = []
        self.views: list[RunView] = []
        self.now = 1_000

    def start(self) -> None:
        self.took(self.controller.start("Write a.py", self.now))

    def says(self, *messages: dict[str, Any] | bytes) -> None:
        for message in messages:
            self.now += 10
            line = message if isinstance(message, bytes) else json.dumps(message).encode()
            self.took(self.controller.receive(line, self.now))

    def took(self, reaction: Reaction) -> None:
        self.views += reaction.views
        self.sent += [item.content for item in reaction.outgoing if isinstance(item, LineToAgent)]

    def taken(self) -> list[dict[str, Any]]:
        """Returns the messages to the agent since the last call."""
        taken, self.sent = self.sent, []
        return taken

    def seen(self, *kinds: type) -> list[RunView]:
        return [view for view in self.views if isinstance(view, kinds)]

    @property
    def kinds(self) -> list[str]:
        return [type(event).__name__ for event in self.log.events]


def pi(texts: dict[str, str] | None = None, log: MemoryLog | None = None) -> PlayedAgent:
    return PlayedAgent(PiDriver(CWD, "0"), PiAdapter(CWD), log=log, texts=texts)


def omp(context: ContextMode) -> PlayedAgent:
    return PlayedAgent(OmpDriver(CWD, "0"), PiAdapter(CWD), context=context)


def codex(texts: dict[str, str] | None = None) -> PlayedAgent:
    return PlayedAgent(CodexDriver(CWD, "0"), CodexAppServerAdapter(CWD), texts=texts)


def claude() -> PlayedAgent:
    return PlayedAgent(ClaudeDriver(CWD, "0"), ClaudeAdapter(CWD))


def opencode() -> PlayedAgent:
    return PlayedAgent(OpencodeDriver(CWD, "0"), OpencodeAdapter(CWD))


def response(sent: dict[str, Any], **data: Any) -> dict[str, Any]:
    """pi's answer to a command."""
    return {"type": "response", "id": sent["id"], "command": sent["type"], "success": True, "data": data}


def user(text: str) -> dict[str, Any]:
    return {"type": "message_start", "message": {"role": "user", "content": [{"type": "text", "text": text}]}}


ANSWER = {"type": "message_start", "message": {"role": "assistant", "content": [], "model": "m"}}
AGENT_END = {"type": "agent_end", "messages": []}


def text_delta(text: str) -> dict[str, Any]:
    return {"type": "message_update", "assistantMessageEvent": {"type": "text_delta", "contentIndex": 0, "delta": text}}


def call(*deltas: str) -> list[dict[str, Any]]:
    """pi's events of a call of `write` that streams."""
    partial = {"content": [{"type": "toolCall", "id": "c1", "name": "write"}]}
    start = {"type": "toolcall_start", "contentIndex": 0, "partial": partial}
    events = [start, *({"type": "toolcall_delta", "contentIndex": 0, "delta": delta} for delta in deltas)]
    return [{"type": "message_update", "assistantMessageEvent": event, "message": partial} for event in events]


def asks_before_call(title: str = "ttsr-ls: run this tool call?") -> dict[str, Any]:
    """The request of pi's extension before that call."""
    return {"type": "extension_ui_request", "id": "d1", "method": "confirm", "title": title, "message": "c1"}


def answered(reason: str = "stop") -> dict[str, Any]:
    return {"type": "message_end", "message": {"role": "assistant", "content": [], "stopReason": reason}}


def begun(agent: PlayedAgent) -> None:
    """The agent accepts the prompt and begins to answer."""
    agent.start()
    (state,) = agent.taken()
    agent.says(response(state, isStreaming=False))
    (prompt,) = agent.taken()
    assert (prompt["type"], prompt["message"]) == ("prompt", "Write a.py")
    agent.says(response(prompt), {"type": "agent_start"}, user("Write a.py"), ANSWER)
    assert not agent.taken()
