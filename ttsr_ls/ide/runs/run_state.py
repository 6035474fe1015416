"""The state of an agent in a session: at work or not."""

from __future__ import annotations

from enum import StrEnum


class RunState(StrEnum):
    """The state of an agent: at work or not."""

    WORKING = "working"
    ENDED = "ended"
    """Its last turn is over. It may begin another one."""
    FAILED = "failed"
