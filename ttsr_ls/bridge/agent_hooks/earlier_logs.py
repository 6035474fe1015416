"""The rules that fired earlier in a session that is opened again: the agent resumed it, or the server was restarted."""

from __future__ import annotations

from pathlib import Path

from ttsr_ls.session.history.turn_events import RuleTriggered
from ttsr_ls.session.lifecycle.rule_state import RuleRef
from ttsr_ls.store.log.reader import read_log
from ttsr_ls.store.log.session_dirs import files_of_session

_MAX_LOGS = 50
"""The most logs of one session that are read; the newest ones."""


def rules_fired_before(folder: Path, session: str) -> dict[str, tuple[RuleRef, ...]]:
    """Returns the rules that fired for each agent according to the logs of `session` in a workspace's folder."""
    fired: dict[str, dict[RuleRef, None]] = {}
    for path in files_of_session(folder, session)[-_MAX_LOGS:]:
        try:
            events = [record.event for record in read_log(path).records]
        except OSError:
            continue  # A log that cannot be read costs at most a repeated denial.
        for event in events:
            if isinstance(event, RuleTriggered):
                fired.setdefault(event.agent, {})[RuleRef(event.rule, event.rule_path)] = None
    return {agent: tuple(rules) for agent, rules in fired.items()}
