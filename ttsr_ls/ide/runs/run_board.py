"""The sessions that editors display, by workspace folder, and the silenced rules of each.

Imports no part of the engine, so that a server can start with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ttsr_ls.escaping import one_line
from ttsr_ls.ide.runs.run_state import RunState

if TYPE_CHECKING:
    from ttsr_ls.ide.runs.session_run import SessionRun

MAX_RUNS = 20
"""The most sessions of a workspace; the oldest sessions that have ended are removed first."""


class RunBoard:
    """All sessions. Each is named by its `id`, which is unique."""

    __slots__ = ("_runs", "_silenced")

    def __init__(self) -> None:
        self._runs: dict[str, dict[str, SessionRun]] = {}
        self._silenced: dict[str, frozenset[tuple[str, str | None]]] = {}

    def of(self, folder: str) -> tuple[SessionRun, ...]:
        """The sessions of a workspace folder, newest first."""
        return tuple(sorted(self._runs.get(folder, {}).values(), key=lambda run: run.started, reverse=True))

    def run(self, identity: str) -> SessionRun | None:
        """The session with this id."""
        return next((runs[identity] for runs in self._runs.values() if identity in runs), None)

    def begin(self, folder: str, run: SessionRun) -> None:
        """Adds a session, or replaces it."""
        runs = self._runs.setdefault(folder, {})
        runs.pop(run.id, None)
        runs[run.id] = run
        while len(runs) > MAX_RUNS:
            over = [old for old in runs.values() if old is not run]
            self._forget(folder, min(over, key=lambda old: (old.state is RunState.WORKING, old.last_event)).id)

    def forget(self, identity: str) -> None:
        """Removes a session from the list of its folder."""
        for folder, runs in self._runs.items():
            if identity in runs:
                self._forget(folder, identity)

    def forget_folder(self, folder: str) -> None:
        """Forgets all sessions of a workspace folder."""
        for identity in list(self._runs.get(folder, ())):
            self._forget(folder, identity)

    @property
    def folders(self) -> tuple[str, ...]:
        """The workspace folders that have sessions."""
        return tuple(folder for folder, runs in self._runs.items() if runs)

    def set_silenced(self, identity: str, rules: frozenset[tuple[str, str | None]]) -> None:
        """Replaces the silenced rules of a session, which need not be known yet.

        A rule is its name, which may be escaped as clients display it, and its path; without a path, all rules of the
        name are silenced.
        """
        if rules:
            self._silenced[identity] = frozenset((one_line(rule), path) for rule, path in rules)
        else:
            self._silenced.pop(identity, None)

    def is_silenced(self, identity: str, rule: str, path: str) -> bool:
        """Returns whether a rule is silenced in a session."""
        rules, name = self._silenced.get(identity, frozenset()), one_line(rule)
        return (name, path) in rules or (name, None) in rules

    def silenced_in(self, identity: str) -> frozenset[tuple[str, str | None]]:
        """The names and paths of the rules that are silenced in a session."""
        return self._silenced.get(identity, frozenset())

    def _forget(self, folder: str, identity: str) -> None:
        run = self._runs[folder].pop(identity, None)
        # The session of a log may go on, and its silenced rules are stored beside the log.
        if run is None or run.log is None:
            self._silenced.pop(identity, None)
