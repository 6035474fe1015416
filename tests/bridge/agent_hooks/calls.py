"""Calls of Claude Code's hooks, as it makes them."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from tests.bridge.watch.watching import MemoryLog, observer, rules
from ttsr_ls.bridge.agent_hooks.contract import CONTRACTS, hook_call
from ttsr_ls.bridge.agent_hooks.hook_call import HookAnswer
from ttsr_ls.bridge.agent_hooks.hook_session import HookSession
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect

CWD = "/home/dev/shop"


def message(event: str, **fields: Any) -> dict[str, Any]:
    return {"session_id": "s1", "cwd": CWD, "hook_event_name": event, **fields}


def before_write(content: str, call: str = "t1", path: str = f"{CWD}/a.py") -> dict[str, Any]:
    arguments = {"file_path": path, "content": content}
    return message("PreToolUse", tool_name="Write", tool_input=arguments, tool_use_id=call)


def after_write(call: str = "t1") -> dict[str, Any]:
    return message("PostToolUse", tool_name="Write", tool_input={}, tool_response={"type": "create"}, tool_use_id=call)


def stop(said: str, *, again: bool = False) -> dict[str, Any]:
    return message("Stop", last_assistant_message=said, stop_hook_active=again)


class Hooked:
    """A session with rules, asked as Claude Code asks it."""

    def __init__(self, texts: dict[str, str] | RulesByDialect, settings: Settings | None = None) -> None:
        self.log = MemoryLog()
        known = settings or Settings()
        loaded = texts if isinstance(texts, RulesByDialect) else rules(**texts)
        observed = observer(self.log, loaded, settings=known)
        folders = PurePosixPath(CWD), PurePosixPath("/home/dev")
        self.session = HookSession(observed, "s1", *folders, known, can_ask=True)

    def ask(self, asked: dict[str, Any]) -> HookAnswer:
        answer, _ = self.session.decide(hook_call(CONTRACTS["claude"], asked), 1)
        return answer
