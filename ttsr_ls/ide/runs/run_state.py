"""Whether the agent of a session is at work."""

from __future__ import annotations

from enum import StrEnum


class RunState(StrEnum):
    """Whether an agent is at work."""

    WORKING = "working"
    ENDED = "ended"
    """Its last turn is over. It may begin another one."""
    FAILED = "failed"
