"""Events beside the turns: what a proxy could inspect, and which instructions an agent tells its model by itself."""

from __future__ import annotations

from ttsr_ls.session.history.recorded_value import RecordedValue


class RequestNotInspected(RecordedValue, frozen=True):
    """Rules did not see a request or its answer, because of `reason`. It `is_refused`, or was passed on."""

    reason: str
    is_refused: bool


class RequestsCounted(RecordedValue, frozen=True):
    """The requests of the session so far, in this run of the proxy; `irrelevant` ones ask no model to work.

    `refuses_unparsed`: what cannot be inspected is refused (the proxy fails closed), else it is passed on.
    """

    inspected: int
    irrelevant: int
    unparsed: int
    refuses_unparsed: bool


class InstructionsLoaded(RecordedValue, frozen=True):
    """The agent loaded the file `path` of instructions, so its model is told them.

    `level` is whose file it is, in the agent's word (Claude Code: `User`, `Project`, `Local`, `Managed`); `reason` is
    why it was loaded, such as `session_start` or `path_glob_match`.
    """

    agent: str
    path: str
    level: str
    reason: str
