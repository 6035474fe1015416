"""The sessions that the hook server holds open at the same time are bounded."""

from __future__ import annotations

from pathlib import Path

from ttsr_ls.bridge.agent_hooks.contract import CONTRACTS, hook_call
from ttsr_ls.bridge.agent_hooks.hook_call import Denied
from ttsr_ls.bridge.agent_hooks.open_sessions import MAX_SESSIONS, HookSessions


def test_the_session_that_was_used_least_recently_is_closed(project: Path) -> None:
    sessions = HookSessions(frozenset(CONTRACTS), lambda _: None, 1.0)
    opened: list[set[str]] = []
    sessions.on_change = lambda all_sessions: opened.append({session.session for session in all_sessions})

    def ask(number: int) -> object:
        message = {"session_id": f"s{number}", "cwd": str(project), "hook_event_name": "PreToolUse"}
        written = {"tool_name": "Write", "tool_input": {"file_path": "a.py", "content": "deprecated_module"}}
        return sessions.decide("claude", hook_call(CONTRACTS["claude"], {**message, **written})).answer

    try:
        for number in range(MAX_SESSIONS):
            ask(number)
        ask(0)
        assert isinstance(ask(MAX_SESSIONS), Denied)
        assert len(sessions) == MAX_SESSIONS
        assert opened[-1] == {f"s{number}" for number in range(MAX_SESSIONS + 1)} - {"s1"}
        # One that was closed is opened again, with what is on record.
        assert isinstance(ask(1), Denied)
    finally:
        sessions.close()
