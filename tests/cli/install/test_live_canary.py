"""The doctor tries the agent itself, also one that does not start."""

from __future__ import annotations

from pathlib import Path

from ttsr_ls.bridge.agent_hooks.canary.canary_calls import canary_calls
from ttsr_ls.cli.install.live_canary import try_calls


def test_an_agent_that_cannot_be_started_is_reported(tmp_path: Path) -> None:
    agent = tmp_path / "claude"
    agent.write_bytes(b"\0")
    agent.chmod(0o755)
    tried = try_calls("claude", str(agent), canary_calls("claude"), {}, lambda folder: None)
    assert tried == "it cannot be started: Exec format error"
