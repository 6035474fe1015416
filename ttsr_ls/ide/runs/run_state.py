"""The state of an agent in a session: working, ended, or failed."""

from __future__ import annotations

from enum import StrEnum


class RunState(StrEnum):
    """The state of an agent: its turn is running, has ended, or has failed."""

    WORKING = "working"
    ENDED = "ended"
    """Its last turn is over. It may begin another one."""
    FAILED = "failed"
