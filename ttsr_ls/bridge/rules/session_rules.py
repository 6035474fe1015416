"""The rules of a session: read from files and folders that the host names, found in a project, or given as they are."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.bridge.rules.ast_problems import with_ast_problems
from ttsr_ls.bridge.rules.reloading_rules import ReloadingRules
from ttsr_ls.errors import UsageError
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.session.rules.rule_problems import refused_rules
from ttsr_ls.session.rules.rules_by_dialect import Registered, RulesByDialect, compose
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.discovery import EXTRA_PROVIDER
from ttsr_ls.store.discovery.local_rules import load_rule, rules_at
from ttsr_ls.store.files.bounded_file import RuleUnreadableError
from ttsr_ls.store.files.disk_reads import CHECK_AFTER, DiskReads, note_read
from ttsr_ls.syntax.dialects.locations import RULE_SUFFIXES

Rules = str | Path | Iterable[str | Path] | RuleSet | RulesByDialect | ReloadingRules

_NO_RULES = "The folder {} holds no rule files (*.md, *.mdc); name the folder that the rules are in."


class RulesInForce(Struct, frozen=True):
    """The rules and settings of a session; `problems` are those of their files and folders, in sentences."""

    rules: RulesByDialect
    settings: Settings
    problems: tuple[str, ...] = ()


class SessionRules:
    """The rules of one session, which are read again when their files change. Rules that were given stay.

    `now` is in seconds, of a clock that does not go back. Raises RuleUnreadableError and UsageError as
    `rules_in_force` does.
    """

    def __init__(
        self, given: Rules, project: str | Path | None, settings: Settings | None, agent: str, now: float
    ) -> None:
        # An iterator of paths can be read once only.
        self._given = given if isinstance(given, str | Path | RuleSet | RulesByDialect | ReloadingRules) else (*given,)
        self._project = None if project is None else Path(project)
        self._settings = settings
        self._agent = agent
        self._checked = now
        self.in_force = self._loaded()

    def should_check(self, now: float) -> bool:
        """Returns whether it is time to look at the disk again."""
        return isinstance(self._given, ReloadingRules) or now - self._checked >= CHECK_AFTER

    def reload(self, now: float) -> None:
        """Looks at the disk, and reads again what changed. Raises RuleUnreadableError, UsageError; then those of
        before hold."""
        self._checked = now
        given = self._given
        if given.has_changed(now) if isinstance(given, ReloadingRules) else self._reads.have_changed():
            found = self._loaded()
            if found != self.in_force:
                self.in_force = found

    def _loaded(self) -> RulesInForce:
        given = self._given
        if isinstance(given, ReloadingRules):
            settings = given.settings if self._settings is None else self._settings
            return RulesInForce(given.rules_for(self._agent), settings)
        reads = DiskReads()
        try:
            with reads.recorded():
                found = rules_in_force(given, self._project, self._settings, self._agent)
        finally:
            self._reads = reads
        return replace(found, rules=with_ast_problems(found.rules))


def rules_in_force(
    given: str | Path | Iterable[str | Path] | RuleSet | RulesByDialect,
    project: Path | None,
    settings: Settings | None,
    agent: str,
) -> RulesInForce:
    """The rules that apply to `agent`: those that are given, and after them those that are found in `project`.

    Settings that are given count instead of the project's. Raises RuleUnreadableError where a file or folder that is
    given cannot be read, UsageError where rules that were read before are given along with a project.
    """
    known_settings = Settings() if settings is None else settings
    if isinstance(given, RulesByDialect | RuleSet):
        if project is not None:
            raise UsageError("with `project`, `rules` can name files and folders, not rules that were read before")
        if isinstance(given, RulesByDialect):
            return RulesInForce(given, known_settings)
        return RulesInForce(RulesByDialect(omp=given, problems=tuple(refused_rules(given))), known_settings)
    named = [given] if isinstance(given, str | Path) else given
    found = [(path, list(_files(path))) for path in map(Path, named)]
    registered: list[Registered] = [
        load_rule(file, EXTRA_PROVIDER).registration for _, files in found for file in files
    ]
    problems = [_NO_RULES.format(path) for path, files in found if not files]
    if project is not None:
        if not os.path.isdir(project):  # noqa: PTH112 - `is_dir` raises for names that no folder can have
            raise UsageError(f"there is no folder {project} to take as the project")
        rules = rules_at(AgentEnvironment(project.absolute(), home_folder(), os.environ))
        registered += rules.registrations
        known_settings = rules.settings if settings is None else settings
        files_of_settings = (layer.file for layer in rules.layers.layers)
        problems += (f"{file.path}: {problem.message}" for file in files_of_settings for problem in file.problems)
    return RulesInForce(compose(registered, known_settings, agent), known_settings, tuple(problems))


def home_folder() -> Path:
    """The home folder; where there is none, a folder that no rule is in."""
    try:
        return Path.home()
    except RuntimeError:
        return Path("/nonexistent")


def _files(path: Path) -> Iterator[Path]:
    note_read(path)
    if not os.path.isdir(path):  # noqa: PTH112 - `is_dir` raises for names that no folder can have
        yield path
        return
    try:
        paths = sorted(
            file for file in path.iterdir() if file.suffix in RULE_SUFFIXES and not file.name.startswith(".")
        )
    except OSError as error:
        raise RuleUnreadableError(f"cannot read the folder {path}: {error.strerror}") from error
    yield from paths
