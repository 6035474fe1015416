"""The rules that earlier programs injected into a session of an agent, which the agent continues."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from ttsr_ls.bridge.watch.event_log import EventLog
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    AgentSessionIdentified,
    InjectionCommitted,
    ReminderFolded,
    TurnEvent,
)
from ttsr_ls.session.lifecycle.rule_state import RuleRef, recorded_rules
from ttsr_ls.store.log.newest_logs import events_of_newest_logs
from ttsr_ls.store.log.session_dirs import state_home, workspace_folder, workspace_root
from ttsr_ls.store.log.turn_log import TurnLog

MAX_LOGS = 50

_NAMES = tuple(f'"{kind.__name__}"'.encode() for kind in (AgentSessionIdentified, InjectionCommitted, ReminderFolded))


def earlier_injections(cwd: Path, log: EventLog) -> EarlierInjections:
    """The earlier injections in the workspace of `cwd`. `log` is that of the running session."""
    folder = workspace_folder(state_home(os.environ, Path.home()), workspace_root(cwd))
    return EarlierInjections(folder, log.path if isinstance(log, TurnLog) else None)


class EarlierInjections:
    """Reads the logs in the folder of a workspace, except `own`, the log of the running session."""

    def __init__(self, folder: Path, own: Path | None) -> None:
        self._folder = folder
        self._own = own
        self._read: set[str] = set()

    def of_session(self, session: str) -> tuple[RuleRef, ...]:
        """Returns the rules that were injected into the main agent of this session; none if asked again.

        `session` is the agent's id. Logs that cannot be read are skipped: a rule is then injected once more.
        """
        if not session or session in self._read:
            return ()
        self._read.add(session)
        found: dict[RuleRef, None] = {}
        for events in events_of_newest_logs(self._folder, self._own, _NAMES, MAX_LOGS):
            found.update(dict.fromkeys(_injected(events, session)))
        return tuple(found)


def _injected(events: Iterable[TurnEvent], session: str) -> list[RuleRef]:
    is_of_session, rules = False, list[RuleRef]()
    for event in events:
        match event:
            case AgentSessionIdentified():
                is_of_session = is_of_session or event.session == session
            case InjectionCommitted() if event.injection.agent == MAIN_AGENT:
                rules += recorded_rules(event.rules, event.rule_paths)
            case ReminderFolded():
                rules += recorded_rules(event.rules, event.rule_paths)
            case _:
                pass
    return rules if is_of_session else []
