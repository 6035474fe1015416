"""Names of the subagents of oh-my-pi."""

from __future__ import annotations

from ttsr_ls.session.history.turn_events import MAIN_AGENT


def subagent_name(identity: str) -> str:
    """Returns the name of a subagent among the agents of its session: its id, which the model may choose."""
    return f"subagent {identity}" if identity == MAIN_AGENT else identity
