"""A session that the proxy and the hooks both enforce, because the agent's environment lacks the proxy's variable."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bridge.agent_hooks.calls import message
from ttsr_ls.bridge.agent_hooks.contract import CONTRACTS, hook_call
from ttsr_ls.bridge.agent_hooks.open_sessions import HookSessions
from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.session_dirs import session_file, workspace_folder, workspace_root
from ttsr_ls.store.log.turn_log import TurnLog


def test_a_proxy_in_the_same_session_is_reported_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    shop = tmp_path / "shop"
    shop.mkdir()
    sessions = HookSessions(frozenset(CONTRACTS), lambda _: None, 1.0)

    def warning(session: str) -> str:
        fields = {"tool_name": "Write", "tool_input": {"file_path": str(shop / "a.py"), "content": ""}}
        asked = message("PreToolUse", **fields) | {"session_id": session, "cwd": str(shop)}
        return sessions.decide("claude", hook_call(CONTRACTS["claude"], asked)).warning

    path = session_file(workspace_folder(tmp_path / "state", workspace_root(shop)), 1_000, "proxy-s1")
    with TurnLog.open(path, Header(path.stem, "claude", str(shop), 1_000, "test")):
        assert warning("other-s1") == ""
        assert "set TTSR_LS_PROXY=claude in the environment" in warning("s1")
        assert warning("s1") == ""
    # A proxy that ended is not reported.
    assert warning("s1-later") == ""
    sessions.close()
