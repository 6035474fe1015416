"""The rules of a session: from files and folders that the host names, from a project, or from rule objects."""

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
from ttsr_ls.store.files.disk_reads import CHECK_AFTER, DiskReads, record_read
from ttsr_ls.syntax.dialects.locations import RULE_SUFFIXES

Rules = str | Path | Iterable[str | Path] | RuleSet | RulesByDialect | ReloadingRules

_NO_RULES = "The folder {} holds no rule files (*.md, *.mdc); name the folder that the rules are in."


class RulesInForce(Struct, frozen=True):
    """The rules and settings of a session; `problems` are sentences about their files and folders."""

    rules: RulesByDialect
    settings: Settings
    problems: tuple[str, ...] = ()


class SessionRules:
    """The rules of one session, which are reloaded when their files change. Rule objects are never reloaded.

    `now` is in seconds, of a monotonic clock. Raises RuleUnreadableError and UsageError like `rules_in_force`.
    """

    def __init__(
        self, source: Rules, project: str | Path | None, settings: Settings | None, agent: str, now: float
    ) -> None:
        # An iterator of paths can be read once only.
        self._source = (
            source if isinstance(source, str | Path | RuleSet | RulesByDialect | ReloadingRules) else (*source,)
        )
        self._project = None if project is None else Path(project)
        self._settings = settings
        self._agent = agent
        self._checked = now
        self.in_force = self._loaded()

    def should_check(self, now: float) -> bool:
        """Returns whether it is time to check the disk again."""
        return isinstance(self._source, ReloadingRules) or now - self._checked >= CHECK_AFTER

    def reload(self, now: float) -> None:
        """Checks the disk, and reloads changed files. Raises RuleUnreadableError or UsageError, and then keeps the
        earlier rules."""
        self._checked = now
        source = self._source
        if source.has_changed(now) if isinstance(source, ReloadingRules) else self._reads.have_changed():
            found = self._loaded()
            if found != self.in_force:
                self.in_force = found

    def _loaded(self) -> RulesInForce:
        source = self._source
        if isinstance(source, ReloadingRules):
            settings = source.settings if self._settings is None else self._settings
            return RulesInForce(source.rules_for(self._agent), settings)
        reads = DiskReads()
        try:
            with reads.recorded():
                found = rules_in_force(source, self._project, self._settings, self._agent)
        finally:
            self._reads = reads
        return replace(found, rules=with_ast_problems(found.rules))


def rules_in_force(
    source: str | Path | Iterable[str | Path] | RuleSet | RulesByDialect,
    project: Path | None,
    settings: Settings | None,
    agent: str,
) -> RulesInForce:
    """Returns the rules that apply to `agent`: those of `source`, then those of `project`.

    `settings` replaces the project's settings. Raises RuleUnreadableError if a file of `source` cannot be read,
    UsageError if `source` has rule objects and there is a project.
    """
    effective_settings = Settings() if settings is None else settings
    if isinstance(source, RulesByDialect | RuleSet):
        if project is not None:
            raise UsageError("with `project`, `rules` can name files and folders, not rules that were read before")
        if isinstance(source, RulesByDialect):
            return RulesInForce(source, effective_settings)
        return RulesInForce(RulesByDialect(omp=source, problems=tuple(refused_rules(source))), effective_settings)
    named = [source] if isinstance(source, str | Path) else source
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
        effective_settings = rules.settings if settings is None else settings
        files_of_settings = (layer.file for layer in rules.layers.layers)
        problems += (f"{file.path}: {problem.message}" for file in files_of_settings for problem in file.problems)
    return RulesInForce(compose(registered, effective_settings, agent), effective_settings, tuple(problems))


def home_folder() -> Path:
    """Returns the home folder; without one, a folder that contains no rules."""
    try:
        return Path.home()
    except RuntimeError:
        return Path("/nonexistent")


def _files(path: Path) -> Iterator[Path]:
    record_read(path)
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
