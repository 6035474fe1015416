"""The rules of one folder, read again when their files change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ttsr_ls.bridge.rules.ast_problems import with_ast_problems
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.local_rules import LocalRules, rules_at
from ttsr_ls.store.files.disk_reads import DiskReads


class ReloadingRules:
    """The rules of an environment. `now` is in seconds, of a monotonic clock.

    The disk is checked at most once in `check_after` seconds. `paths` are folders with further rules.
    """

    def __init__(
        self,
        cwd: Path,
        home: Path,
        environ: Mapping[str, str],
        now: float,
        check_after: float,
        paths: tuple[Path, ...] = (),
    ) -> None:
        self._check_after = check_after
        self._paths = paths
        self._environment = AgentEnvironment(cwd, home, environ)
        self._checked = now
        self.version = 0
        """The number of changes of rules or settings, for the sessions that share these rules."""
        self._load()

    def _load(self) -> None:
        self._reads = DiskReads()
        with self._reads.recorded():
            self._found = rules_at(self._environment, self._paths)
        self._by_agent: dict[str, RulesByDialect] = {}

    @property
    def found(self) -> LocalRules:
        """The files that were found in the environment, with their problems."""
        return self._found

    @property
    def settings(self) -> Settings:
        """The settings of the environment."""
        return self._found.settings

    @property
    def rules_for(self) -> Callable[[str], RulesByDialect]:
        """The function that returns the rules for a kind of agent."""
        rules, by_agent = self._found, self._by_agent

        def find(kind: str) -> RulesByDialect:
            if kind not in by_agent:
                by_agent[kind] = with_ast_problems(rules.session_rules(kind))
            return by_agent[kind]

        return find

    def has_changed(self, now: float, *, at_once: bool = False) -> bool:
        """Reloads changed files, and returns whether that changed rules or settings. With `at_once`, also if the disk
        was just checked."""
        if now - self._checked < self._check_after and not at_once:
            return False
        self._checked = now
        if not self._reads.have_changed():
            return False
        before = self._found
        self._load()
        if self._found.registrations == before.registrations and self._found.settings == before.settings:
            return False
        self.version += 1
        return True
