"""Instructions that an agent loads and tells its model by itself: rules that are always told, and memory files."""

from __future__ import annotations

from ttsr_ls.session.history.recorded import Recorded


class InstructionsLoaded(Recorded, frozen=True):
    """The agent loaded the file `path` of instructions, so its model is told them.

    `level` is whose file it is, in the agent's word (Claude Code: `User`, `Project`, `Local`, `Managed`); `reason` is
    why it was loaded, such as `session_start` or `path_glob_match`.
    """

    agent: str
    path: str
    level: str
    reason: str
