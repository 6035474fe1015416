"""The rules that fired earlier in a session that is opened again: the agent resumed it, or the server was restarted."""

from __future__ import annotations

from pathlib import Path

from ttsr_ls.session.history.turn_events import RuleTriggered
from ttsr_ls.session.lifecycle.rule_state import RuleRef
from ttsr_ls.store.log.reader import read_log
from ttsr_ls.store.log.session_dirs import session_file, session_files

_MAX_LOGS = 50
"""The most logs of one session that are read; the newest ones."""


def rules_fired_before(folder: Path, session: str) -> dict[str, tuple[RuleRef, ...]]:
    """Returns the rules that fired for each agent according to the logs of `session` in a workspace's folder."""
    of_session = [path for path in session_files(folder) if path == _log_of(path, session)]
    fired: dict[str, dict[RuleRef, None]] = {}
    for path in of_session[-_MAX_LOGS:]:
        try:
            events = [record.event for record in read_log(path).records]
        except OSError:
            continue  # A log that cannot be read costs at most a repeated denial.
        for event in events:
            if isinstance(event, RuleTriggered):
                fired.setdefault(event.agent, {})[RuleRef(event.rule, event.rule_path)] = None
    return {agent: tuple(rules) for agent, rules in fired.items()}


def _log_of(path: Path, session: str) -> Path:
    """Returns the path of a log of `session` that began at the time in the name of `path`."""
    moment, _, _ = path.name.partition("-")
    return path.with_name(session_file(path.parent, 0, session).name.replace("19700101T000000Z", moment, 1))
