"""Sessions that `run` enforces are not enforced by hooks: the first one of a process, and those that it opens later."""

from __future__ import annotations

import json
from pathlib import Path

from ttsr_ls.cli.hooks.proxied import mark_session
from ttsr_ls.store.proxied_sessions import RUN_VARIABLE, assign_session, is_proxied, proxy_environ


def start(state: Path, run: str, session: str) -> bool:
    """Starts a session as the hooks of Codex do; returns whether they are inactive in it."""
    message = json.dumps({"session_id": session, "source": "startup"}).encode()
    assert mark_session(state, "codex", run, message) == ""
    return is_proxied(state, "codex", session)


def test_hooks_are_inactive_in_each_thread_that_a_run_claimed(tmp_path: Path) -> None:
    run = proxy_environ("codex")[RUN_VARIABLE]
    for thread in ("first", "second"):
        assign_session(tmp_path, run, thread)
        assert start(tmp_path, run, thread)


def test_hooks_stay_active_in_a_session_that_no_run_claimed(tmp_path: Path) -> None:
    run, other = (proxy_environ("codex")[RUN_VARIABLE] for _ in range(2))
    assign_session(tmp_path, run, "first")
    assign_session(tmp_path, other, "nested")
    assert start(tmp_path, run, "first")
    assert not start(tmp_path, run, "nested")
