"""The record of the hook server's open sessions."""

from __future__ import annotations

from pathlib import Path

from ttsr_ls.store.open_hook_sessions import HookServerLock, OpenHookSession, open_hook_sessions


def test_a_session_whose_id_has_a_lone_surrogate_is_recorded(tmp_path: Path) -> None:
    lock = HookServerLock(tmp_path)
    try:
        lock.record((OpenHookSession("claude", "a\ud800", "/shop"), OpenHookSession("codex", "b", "/shop")))
        assert [session.session for session in open_hook_sessions(tmp_path)] == ["a\ufffd", "b"]
    finally:
        lock.release()
