"""The session and the subagent that a request names, in the headers of each agent."""

from __future__ import annotations

import pytest

from ttsr_ls.bridge.proxy.serving.session_identity import SessionIdentity, session_identity

CODEX = {"session-id": "s1", "thread-id": "s1"}


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"x-claude-code-session-id": "s1"}, SessionIdentity("s1", "")),
        ({"x-claude-code-session-id": "s1", "x-claude-code-agent-id": "a1"}, SessionIdentity("s1", "a1")),
        (CODEX, SessionIdentity("s1", "")),
        (CODEX | {"thread-id": "t2", "x-openai-subagent": "collab_spawn"}, SessionIdentity("s1", "t2")),
        # A request of the main thread that compacts its history.
        (CODEX | {"x-openai-subagent": "compact"}, SessionIdentity("s1", "")),
        ({"session-id": "s1", "x-openai-subagent": "review"}, SessionIdentity("s1", "")),
        ({}, SessionIdentity("", "")),
    ],
)
def test_a_request_names_its_session_and_its_subagent(headers: dict[str, str], expected: SessionIdentity) -> None:
    assert session_identity(headers, {}) == expected
