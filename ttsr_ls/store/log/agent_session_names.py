"""Reads from session logs how the agents themselves call their sessions."""

from __future__ import annotations

import os
from pathlib import Path

from ttsr_ls.session.history.turn_events import AgentSessionIdentified
from ttsr_ls.store.files.bounded_file import open_regular
from ttsr_ls.store.log.codec import CodecError, decode_record

_KIND = b'"AgentSessionIdentified"'
_MAX_LENGTH = 64 * 1024
"""No such record is longer, in bytes. Longer lines are read in parts, none of which is one."""


def agent_session_names(log: Path) -> tuple[str, ...]:
    """Returns the names that the agent gave the sessions of a log, the first one first; none if it cannot be read."""
    names: dict[str, None] = {}
    try:
        with os.fdopen(open_regular(log), "rb") as file:
            while line := file.readline(_MAX_LENGTH):
                if _KIND in line:
                    names.update(_named(line))
    except OSError:
        pass
    return tuple(names)


def _named(line: bytes) -> dict[str, None]:
    try:
        event = decode_record(line).event
    except CodecError:
        return {}
    return {event.session: None} if isinstance(event, AgentSessionIdentified) else {}
