"""A rule file that was found and parsed in its dialect.

In locations that oh-my-pi or pi-ttsr reads, a file is a rule of that program, whatever its keys are. Elsewhere its
location, the configured dialect, and its keys decide.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct

from ttsr_ls.rules.dialects.dialect_profile import OMP, DialectProfile
from ttsr_ls.rules.dialects.legacy_registration import register_legacy
from ttsr_ls.rules.dialects.pi_registration import register_pi
from ttsr_ls.rules.providers import PI_TTSR, PROVIDERS
from ttsr_ls.rules.registration import Registration, register
from ttsr_ls.rules.rule import Rule
from ttsr_ls.store.providers.discovered_rule import DiscoveredRule
from ttsr_ls.syntax.dialects import detection
from ttsr_ls.syntax.dialects.file_roles import with_role
from ttsr_ls.syntax.dialects.table import DialectId
from ttsr_ls.syntax.pi.rule_file import PiRuleFile, read_pi_rule
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.rule_file import RuleFile

_PROVIDERS_OF_OMP = frozenset(provider.id for provider in PROVIDERS)


T = TypeVar("T")


class LoadedRule(Struct, frozen=True):
    """A rule file that was found and parsed as its program does (`read`)."""

    found: DiscoveredRule
    read: RuleFile | PiRuleFile
    registration: Registration

    @property
    def file(self) -> RuleFile:
        """The file as oh-my-pi reads it; not for rules of pi-ttsr."""
        assert isinstance(self.read, RuleFile), "rules of pi-ttsr have other keys"
        return self.read

    @property
    def pi(self) -> PiRuleFile | None:
        """The file as pi-ttsr reads it; None for rules of oh-my-pi."""
        return None if isinstance(self.read, RuleFile) else self.read

    @property
    def rule(self) -> Rule | None:
        """The rule of the engine; None if it can never fire."""
        return self.registration.rule

    @property
    def profile(self) -> DialectProfile:
        """The behaviour of rules of the file's dialect."""
        return self.registration.profile

    def by_dialect(
        self,
        *,
        omp: Callable[[RuleFile, Registration], T],
        omp_legacy: Callable[[RuleFile, Registration], T],
        pi: Callable[[PiRuleFile, Registration], T],
    ) -> T:
        """Returns the result of the function for the dialect that the file was read in.

        Commands use it where they describe the rules of each dialect differently.
        """
        if not isinstance(self.read, RuleFile):
            return pi(self.read, self.registration)
        return (omp if self.profile is OMP else omp_legacy)(self.read, self.registration)


def loaded_from(rule: DiscoveredRule, text: str, configured: DialectId | None = None) -> LoadedRule:
    """Returns the rule of a file with this text. `configured` is its dialect if its location does not decide it."""
    path = str(rule.path)
    if rule.provider == PI_TTSR.id:
        return _pi(rule, text)
    file = read_rule(text, name=rule.name, path=path)
    if rule.provider not in _PROVIDERS_OF_OMP:
        dialect = detection.dialect_of(path, file.frontmatter, configured).id
        if dialect is DialectId.PI_TTSR:
            return _pi(rule, text)
        # The current oh-my-pi still reads the old key, so the key alone does not select the old dialect.
        if dialect is DialectId.OMP_LEGACY and configured is DialectId.OMP_LEGACY:
            return LoadedRule(rule, file, register_legacy(file, rule.provider))
    file = with_role(file, rule.role)
    return LoadedRule(rule, file, register(file, rule.provider))


def _pi(rule: DiscoveredRule, text: str) -> LoadedRule:
    file = read_pi_rule(text, name=rule.name, path=str(rule.path))
    return LoadedRule(rule, file, register_pi(file, rule.provider))
