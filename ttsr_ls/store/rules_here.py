"""The rules at a place, read and registered: what `list`, `test`, `watch`, `why` and the editor's trying work on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct, field

from ttsr_ls.engine.providers import BUILTIN, PI_TTSR, UnseenReason
from ttsr_ls.engine.registration import Registration, register
from ttsr_ls.engine.rule_set import MAIN_AGENT, RuleSet
from ttsr_ls.engine.settings import Settings
from ttsr_ls.engine.settings_layers import SettingsLayers
from ttsr_ls.store.bounded_file import RuleUnreadableError, read_file
from ttsr_ls.store.discovery import discover
from ttsr_ls.store.place import Place
from ttsr_ls.store.providers.found import DiscoveredRule
from ttsr_ls.store.settings_files import read_layers
from ttsr_ls.syntax.file_roles import in_role, role_of, rule_name_of
from ttsr_ls.syntax.reader import decode, read_rule
from ttsr_ls.syntax.rule_file import RuleFile

MAX_TOTAL = 64 * 1024 * 1024
"""How many characters of rule files are read at one place."""


class LoadedRule(Struct, frozen=True):
    """A rule file that was found and read."""

    found: DiscoveredRule
    file: RuleFile
    registration: Registration


class UnseenRule(Struct, frozen=True):
    """A rule that is in one of the agent's places, and that it does not see."""

    rule: LoadedRule
    reason: UnseenReason


class RulesHere(Struct, frozen=True):
    """All rules at a place.

    `loaded` are in order of discovery. `unseen` were found and are not seen by the agent, `elsewhere` are of a dialect
    that it does not read; neither takes part in anything. `unreadable` says of files why they could not be read.
    """

    loaded: tuple[LoadedRule, ...]
    unseen: tuple[UnseenRule, ...]
    elsewhere: tuple[LoadedRule, ...]
    disabled_providers: frozenset[str]
    layers: SettingsLayers
    settings: Settings
    unreadable: tuple[str, ...]

    @property
    def reads_builtin(self) -> bool:
        """Whether settings let the agent load the rules that are built into it."""
        return self.settings.builtin_rules and BUILTIN.id not in self.disabled_providers

    def rule_set(self, agent: str = MAIN_AGENT) -> RuleSet:
        """Which of the rules watch an agent's stream, and why the others do not."""
        return RuleSet.build((rule.registration for rule in self.loaded), self.settings, agent)


class OpenTexts(Struct, frozen=True):
    """Texts of files as they are in an editor, by path; they count instead of what the disk holds."""

    texts: Mapping[str, str] = field(default_factory=dict)


def rules_at(place: Place, named: Iterable[Path] = (), texts: OpenTexts | None = None) -> RulesHere:
    """Finds and reads the rules for an agent at a place, and before them those in the folders that are `named`."""
    layers = read_layers(place)
    discovery = discover(place, layers, named)
    reading = _Reading(OpenTexts() if texts is None else texts)
    own = reading.all_of(found for found in discovery.rules if found.provider != PI_TTSR.id)
    unreadable = tuple(reading.failures)
    elsewhere = reading.all_of(found for found in discovery.rules if found.provider == PI_TTSR.id)
    reasons = {file.found.path: file.reason for file in discovery.unseen}
    unseen = tuple(
        UnseenRule(rule, reasons[rule.found.path]) for rule in reading.all_of(file.found for file in discovery.unseen)
    )
    return RulesHere(own, unseen, elsewhere, discovery.disabled_providers, layers, layers.settings(), unreadable)


def load_rule(path: Path, provider: str) -> LoadedRule:
    """Reads one rule file that somebody named. Raises `RuleUnreadableError`."""
    absolute = str(path.absolute())
    return _load(DiscoveredRule(path, rule_name_of(absolute), provider, role=role_of(absolute)), None)


class _Reading:
    """Reads files until they come to too much in all."""

    def __init__(self, texts: OpenTexts) -> None:
        self._texts = texts.texts
        self._room = MAX_TOTAL
        self.failures: list[str] = []

    def all_of(self, rules: Iterable[DiscoveredRule]) -> tuple[LoadedRule, ...]:
        """The rules that can be read; of the others, `failures` say why they cannot."""
        loaded = []
        for found in rules:
            try:
                rule = self._one(found)
            except RuleUnreadableError as error:
                self.failures.append(str(error))
            else:
                loaded.append(rule)
        return tuple(loaded)

    def _one(self, found: DiscoveredRule) -> LoadedRule:
        if self._room <= 0:
            raise RuleUnreadableError(
                f"{found.path} is not read: the rules here come to more than {MAX_TOTAL} characters"
            )
        rule = _load(found, self._texts.get(str(found.path)))
        self._room -= len(rule.file.text)
        return rule


def _load(found: DiscoveredRule, text: str | None) -> LoadedRule:
    if text is None:
        text, _ = decode(read_file(found.path))
    file = in_role(read_rule(text, name=found.name, path=str(found.path)), found.role)
    return LoadedRule(found, file, register(file, found.provider))
