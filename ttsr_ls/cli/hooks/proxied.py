"""Records at the start of an agent's session whether the proxy or `run` enforces it."""

from __future__ import annotations

from pathlib import Path

from ttsr_ls.bridge.agent_hooks.hooked_agents import AGENTS
from ttsr_ls.bridge.wire.fields import get_text
from ttsr_ls.bridge.wire.json_lines import parse_object
from ttsr_ls.store.proxied_sessions import is_session_of_run, mark_proxied, unmark_proxied


def mark_session(state: Path, behind_proxy: str, run: str, data: bytes) -> str:
    """Marks the session of a SessionStart hook with the input `data`, or removes its mark.

    `behind_proxy` is the agent that runs behind the proxy or in `run`, blank for none, and `run` names that run. The
    mark is removed if a session is resumed without them. `state` is that of `session_dirs.state_home`. Returns a
    message for the user if this fails, else a blank text.
    """
    message = parse_object(data)
    session = "" if isinstance(message, str) else get_text(message, "session_id")
    if not session:
        return "the session is not named, so its hooks record and enforce it, too" if behind_proxy else ""
    try:
        is_own = isinstance(message, dict) and is_session_of_run(state, run, session, get_text(message, "source"))
        for agent in AGENTS:
            if agent == behind_proxy and is_own:
                mark_proxied(state, agent, session)
            else:
                unmark_proxied(state, agent, session)
    except OSError as error:
        return f"hooks may record and enforce this session twice, or not at all: {error.strerror}: {error.filename}"
    return ""
