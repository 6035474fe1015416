"""The rules of an environment, read and registered: for `list`, `test`, `watch`, `why`, and trials in the editor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct, field

from ttsr_ls.lint.config.config import ConfigError
from ttsr_ls.rules.dialects.dialect_profile import OMP, PROFILES, DialectProfile
from ttsr_ls.rules.providers import UnseenReason
from ttsr_ls.rules.rule_set import MAIN_AGENT, RuleSet
from ttsr_ls.rules.settings.layers import SettingsLayers
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.session.rules.rule_problems import UnreadableRule
from ttsr_ls.session.rules.rules_by_dialect import Registered, RulesByDialect, compose
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.discovery import EXTRA_PROVIDER, discover
from ttsr_ls.store.discovery.limits import DISCOVERY_LIMITS, DiscoveryLimits
from ttsr_ls.store.discovery.loaded_rule import LoadedRule, loaded_from
from ttsr_ls.store.files.bounded_file import RuleUnreadableError, UnreadableCause, read_file
from ttsr_ls.store.providers.discovered_rule import DiscoveredRule, Omission
from ttsr_ls.store.settings.config_file import ConfigFinder
from ttsr_ls.store.settings.settings_files import read_layers
from ttsr_ls.syntax.dialects.file_roles import role_of, rule_name_of
from ttsr_ls.syntax.dialects.table import DialectId
from ttsr_ls.syntax.reader import decode, is_binary

__all__ = [
    "LoadedRule",
    "LocalRules",
    "OpenTexts",
    "UnreadableFile",
    "UnseenRule",
    "load_rule",
    "rules_at",
]  # fmt: skip


class UnseenRule(Struct, frozen=True):
    """A rule in one of the agent's locations that the agent does not read."""

    rule: LoadedRule
    reason: UnseenReason


class UnreadableFile(Struct, frozen=True):
    """A rule file that cannot be read, or a rule folder that cannot be listed. `reason` names the path."""

    found: DiscoveredRule
    reason: str
    cause: UnreadableCause


class LocalRules(Struct, frozen=True):
    """All rules of an environment.

    `loaded` are in order of discovery, grouped by dialect. `unseen` are not read by oh-my-pi, `unreadable` cannot be
    read; neither are active.
    """

    loaded: tuple[LoadedRule, ...]
    unseen: tuple[UnseenRule, ...]
    disabled_providers: frozenset[str]
    layers: SettingsLayers
    settings: Settings
    unreadable: tuple[UnreadableFile, ...]

    def of(self, profile: DialectProfile) -> tuple[LoadedRule, ...]:
        """Returns the rules of one dialect."""
        return tuple(rule for rule in self.loaded if rule.profile is profile)

    def rule_set(self, agent: str = MAIN_AGENT) -> RuleSet:
        """Returns oh-my-pi's rules that apply to an agent's stream, and why the others do not."""
        return RuleSet.build((rule.registration for rule in self.of(OMP)), self.settings, agent)

    def session_rules(self, agent: str = MAIN_AGENT) -> RulesByDialect:
        """Returns the active rules of all dialects for an agent's stream."""
        return compose(self.registrations, self.settings, agent)

    @property
    def registrations(self) -> tuple[Registered, ...]:
        """The rules of all dialects, each dialect in order of discovery, and then the files that cannot be read."""
        unreadable = (UnreadableRule(file.found.name, str(file.found.path), file.reason) for file in self.unreadable)
        return (*(rule.registration for rule in self.loaded), *unreadable)


class OpenTexts(Struct, frozen=True):
    """Texts of files in an editor, by path. They replace the content on the disk."""

    texts: Mapping[str, str] = field(default_factory=dict)


def rules_at(
    environment: AgentEnvironment,
    paths: Iterable[Path] = (),
    texts: OpenTexts | None = None,
    limits: DiscoveryLimits = DISCOVERY_LIMITS,
) -> LocalRules:
    """Finds and reads the rules in the folders `paths`, and then those of an environment."""
    layers = read_layers(environment)
    discovery = discover(environment, layers, paths, limits)
    reading = _Reading(OpenTexts() if texts is None else texts, limits)
    found = reading.all_of(discovery.rules)
    unreadable = tuple(reading.failures)
    reasons = {file.found.path: file.reason for file in discovery.unseen}
    unseen = reading.all_of(file.found for file in discovery.unseen)
    return LocalRules(
        loaded=tuple(rule for profile in PROFILES for rule in found if rule.profile is profile),
        unseen=tuple(UnseenRule(rule, reasons[rule.found.path]) for rule in unseen),
        disabled_providers=discovery.disabled_providers,
        layers=layers,
        settings=layers.settings(),
        unreadable=unreadable,
    )


def load_rule(
    path: Path, provider: str, configured: DialectId | None = None, texts: OpenTexts | None = None
) -> LoadedRule:
    """Reads one rule file that a user named. `configured` is its dialect if its location does not decide it.

    Raises `RuleUnreadableError`, also for a binary file.
    """
    absolute = str(path.absolute())
    rule = DiscoveredRule(path.absolute(), rule_name_of(absolute), provider, role=role_of(absolute))
    text = None if texts is None else texts.texts.get(absolute)
    if text is None:
        data = read_file(path)
        if is_binary(data):
            raise RuleUnreadableError(f"cannot read {path}: it is not a text file")
        text, _ = decode(data)
    return loaded_from(rule, text, configured or _configured_dialect(path.absolute(), ConfigFinder()))


class _Reading:
    """Reads files up to a limit on their total length."""

    def __init__(self, texts: OpenTexts, limits: DiscoveryLimits) -> None:
        self._texts = texts.texts
        self._limits = limits
        self._configurations = ConfigFinder()
        self._room = limits.characters
        self.failures: list[UnreadableFile] = []

    def all_of(self, rules: Iterable[DiscoveredRule]) -> tuple[LoadedRule, ...]:
        """Returns the rules that can be read. Adds the others to `failures`."""
        loaded_rules = []
        for discovered_rule in rules:
            try:
                rule = self._one(discovered_rule)
            except RuleUnreadableError as error:
                self.failures.append(UnreadableFile(discovered_rule, str(error), error.cause))
            else:
                loaded_rules.append(rule)
        return tuple(loaded_rules)

    def _one(self, rule: DiscoveredRule) -> LoadedRule:
        omission = rule.omission_message(self._limits)
        if omission is not None:
            is_of_patterns = rule.omission is Omission.IGNORE_PATTERNS
            cause = UnreadableCause.TOO_MANY_PATTERNS if is_of_patterns else UnreadableCause.TOO_MANY_FILES
            raise RuleUnreadableError(omission, cause)
        if self._room <= 0:
            message = f"{rule.path} is not read: the rules here come to more than {self._limits.characters} characters"
            raise RuleUnreadableError(message, UnreadableCause.ALL_TOO_LARGE)
        text = self._texts.get(str(rule.path))
        if text is None:
            text, _ = decode(read_file(rule.path))
        self._room -= len(text)
        configured = _configured_dialect(rule.path, self._configurations) if rule.provider == EXTRA_PROVIDER else None
        return loaded_from(rule, text, configured)


def _configured_dialect(path: Path, configurations: ConfigFinder) -> DialectId | None:
    """Returns the dialect that the project's configuration names for a file."""
    try:
        return configurations.config_for(path.parent).dialect(path)
    except ConfigError:
        return None  # Commands that use the configuration itself report the error.
