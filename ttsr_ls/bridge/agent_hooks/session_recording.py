"""The log of a hook session, until writing it fails. Rules are enforced without it, too."""

from __future__ import annotations

from pathlib import Path

from ttsr_ls.bridge.agent_hooks.earlier_logs import rules_fired_before
from ttsr_ls.bridge.host.clock import epoch_ms
from ttsr_ls.bridge.watch.null_log import NullLog
from ttsr_ls.session.history.turn_events import TurnEvent
from ttsr_ls.store.log.codec import Record
from ttsr_ls.store.log.header import new_header
from ttsr_ls.store.log.session_dirs import session_file, workspace_folder, workspace_root
from ttsr_ls.store.log.turn_log import LogWriteError, TurnLog


class SessionRecording:
    """Records one session of `agent` in a log of its own. `state` is that of `session_dirs.state_home`.

    After the first failure nothing more is recorded, because a log with a gap would be wrong.
    """

    __slots__ = ("_problem", "fired_before", "log")

    def __init__(self, agent: str, session: str, cwd: Path, state: Path) -> None:
        now = epoch_ms()
        workspace = workspace_root(cwd)
        folder = workspace_folder(state, workspace)
        self.fired_before = rules_fired_before(folder, session)
        """The rules that fired in earlier logs of the session, by agent. Their texts are in the agent's history."""
        path = session_file(folder, now, session)
        self._problem = ""
        self.log: TurnLog | NullLog
        try:
            self.log = TurnLog.open(path, new_header(path, agent, workspace, now))
        except LogWriteError as error:
            self._give_up(error)

    def append(self, event: TurnEvent, time: int) -> Record:
        """Records the event, which happened at `time` (milliseconds since the epoch), if the log can be written.

        Call `sync` before its effects are visible to the agent: one sync takes milliseconds, and covers all events.
        """
        if isinstance(self.log, TurnLog):
            try:
                return self.log.write(event, time)
            except LogWriteError as error:
                self.close()
                self._give_up(error)
        return self.log.append(event, time)

    def sync(self) -> None:
        """Waits until the recorded events are on the disk, if the log can be written."""
        if isinstance(self.log, TurnLog):
            try:
                self.log.sync()
            except LogWriteError as error:
                self.close()
                self._give_up(error)

    def take_problem(self) -> str:
        """Returns, once, why the session is not recorded any more, and what that means; else blank."""
        problem, self._problem = self._problem, ""
        return problem

    def close(self) -> None:
        """Closes the log."""
        if isinstance(self.log, TurnLog):
            self.log.close()

    def _give_up(self, error: LogWriteError) -> None:
        self.log = NullLog()
        self._problem = f"this session is not recorded, and editors do not see it, but rules still apply: {error}"
