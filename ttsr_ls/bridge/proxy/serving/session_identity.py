"""Determines the session and the agent of a request, as far as the API identifies them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ttsr_ls.bridge.wire.fields import get_field, get_text
from ttsr_ls.bridge.wire.json_lines import parse_text

_SESSION_HEADERS = ("x-claude-code-session-id", "session-id", "session_id", "x-session-id")
_CLAUDE_AGENT_HEADER = "x-claude-code-agent-id"
_CODEX_SUBAGENT_HEADER = "x-openai-subagent"
"""In requests of Codex's subagents. They have the session of the main agent, and a thread of their own."""
_CODEX_THREAD_HEADER = "thread-id"
_MAX_LENGTH = 200


class SessionIdentity(Struct, frozen=True):
    """The id of the session, blank where the wire has none, and that of a subagent, blank for the main agent."""

    session: str
    agent: str


def session_identity(headers: Mapping[str, str], fields: dict[str, Any]) -> SessionIdentity:
    """Reads the headers, whose names match in any case, and the fields of the body."""
    identity = next((headers[name] for name in _SESSION_HEADERS if headers.get(name)), "")
    if not identity:
        user = get_text(get_field(fields, "metadata"), "user_id")  # Of Claude Code: JSON with the session.
        identity = get_text(fields, "prompt_cache_key") or get_text(parse_text(user), "session_id")
    return SessionIdentity(identity[:_MAX_LENGTH], _subagent(headers, identity)[:_MAX_LENGTH])


def _subagent(headers: Mapping[str, str], session: str) -> str:
    if headers.get(_CODEX_SUBAGENT_HEADER):
        thread = headers.get(_CODEX_THREAD_HEADER, "")
        return "" if thread == session else thread
    return headers.get(_CLAUDE_AGENT_HEADER, "")
