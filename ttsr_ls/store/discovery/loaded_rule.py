"""A rule file that was found and read, in the dialect that it is in.

In the places that oh-my-pi reads, a file is a rule of oh-my-pi whatever its keys say, and in those of pi-ttsr one of
pi-ttsr. Elsewhere its place, what somebody says, and its keys decide.
"""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.rules.dialects.legacy_registration import LegacyRegistration, register_legacy
from ttsr_ls.rules.dialects.pi_registration import PiRegistration, register_pi
from ttsr_ls.rules.providers import PI_TTSR, PROVIDERS
from ttsr_ls.rules.registration import Registration, register
from ttsr_ls.rules.rule import Rule
from ttsr_ls.store.providers.found import DiscoveredRule
from ttsr_ls.syntax.dialects import detection
from ttsr_ls.syntax.dialects.file_roles import in_role
from ttsr_ls.syntax.dialects.table import DialectId
from ttsr_ls.syntax.pi.rule_file import PiRuleFile, read_pi_rule
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.rule_file import RuleFile

_PLACES_OF_OMP = frozenset(provider.id for provider in PROVIDERS)


class LoadedRule(Struct, frozen=True):
    """A rule of oh-my-pi."""

    found: DiscoveredRule
    file: RuleFile
    registration: Registration

    @property
    def rule(self) -> Rule | None:
        """The rule as the engine has it; None where nothing of it can fire."""
        return self.registration.rule


class LoadedLegacyRule(Struct, frozen=True):
    """A rule of oh-my-pi before `condition`, because somebody says that it is one."""

    found: DiscoveredRule
    file: RuleFile
    registration: LegacyRegistration

    @property
    def rule(self) -> Rule | None:
        """The rule as the engine has it; None where nothing of it can fire."""
        return self.registration.rule


class LoadedPiRule(Struct, frozen=True):
    """A rule of pi-ttsr."""

    found: DiscoveredRule
    file: PiRuleFile
    registration: PiRegistration

    @property
    def rule(self) -> Rule | None:
        """The rule as the engine has it; None where nothing of it can fire."""
        return None if self.registration.rule is None else self.registration.rule.rule


Loaded = LoadedRule | LoadedLegacyRule | LoadedPiRule


def dialect_of(loaded: Loaded) -> DialectId:
    """The dialect in which a file was read."""
    match loaded:
        case LoadedRule():
            return DialectId.OMP
        case LoadedLegacyRule():
            return DialectId.OMP_LEGACY
        case LoadedPiRule():
            return DialectId.PI_TTSR


def loaded_from(found: DiscoveredRule, text: str, said: DialectId | None = None) -> Loaded:
    """The rule that a file with this text is; `said` is its dialect where its place does not tell it."""
    path = str(found.path)
    if found.provider == PI_TTSR.id:
        return _pi(found, text)
    file = read_rule(text, name=found.name, path=path)
    if found.provider not in _PLACES_OF_OMP:
        dialect = detection.dialect_of(path, file.frontmatter, said).id
        if dialect is DialectId.PI_TTSR:
            return _pi(found, text)
        # Today's oh-my-pi still reads the old key, so that the key by itself makes no other program of it.
        if dialect is DialectId.OMP_LEGACY and said is DialectId.OMP_LEGACY:
            return LoadedLegacyRule(found, file, register_legacy(file, found.provider))
    file = in_role(file, found.role)
    return LoadedRule(found, file, register(file, found.provider))


def _pi(found: DiscoveredRule, text: str) -> LoadedPiRule:
    file = read_pi_rule(text, name=found.name, path=str(found.path))
    return LoadedPiRule(found, file, register_pi(file, found.provider))
