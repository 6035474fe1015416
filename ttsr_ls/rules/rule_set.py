"""Rule sets: which of the registered rules are active for an agent, and why the others are not (spec B).

Immutable; a change of a rule file or of a setting makes a new rule set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.globs.glob import Glob
from ttsr_ls.rules.dialects.dialect_profile import OMP, DialectProfile, RegistrationPolicy
from ttsr_ls.rules.providers import BUILTIN
from ttsr_ls.rules.registration import Bucket, Registration
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.settings.settings import Settings

MAIN_AGENT = "main"
"""The name of the top-level session among agents (spec B3)."""


class RefusalReason(StrEnum):
    """The reason why a rule is not active. The value is shown to users."""

    NOT_ENABLED = "switched off by `enabled: false`"
    DISABLED_EXTENSION = "listed in the setting `disabledExtensions`"
    EMPTY_BODY = "the file has no body"
    SHADOWED = "an earlier file has the same name"
    DISABLED_BY_SETTING = "listed in the setting `disabledRules`"
    BUILTIN_RULES_OFF = "the setting `builtinRules` is false"
    OTHER_AGENT = "`agents` does not admit this agent"
    TTSR_OFF = "the setting `enabled` is false"
    NO_TRIGGER = "no condition, AST condition or question that can be used, or a scope that admits nothing"


class Refusal(Struct, frozen=True):
    """A rule that is not active; `bucket` is where it went instead.

    `shadowed_by` is the path of the file with the same name, None for other reasons.
    """

    name: str
    path: str
    reason: RefusalReason
    bucket: Bucket
    shadowed_by: str | None = None


class RuleSet(Struct, frozen=True):
    """The active rules, in order and with unique names (except for rules of pi-ttsr), and the refused ones."""

    rules: tuple[Rule, ...]
    refusals: tuple[Refusal, ...] = ()

    @staticmethod
    def of_dialect(
        profile: DialectProfile, registrations: Iterable[Registration], settings: Settings, agent: str = MAIN_AGENT
    ) -> RuleSet:
        """Returns the rule set of the registrations of one dialect, given in order of discovery."""
        own_registrations = [registration for registration in registrations if registration.profile is profile]
        rules = (registration.rule for registration in own_registrations if registration.rule is not None)
        match profile.registrations:
            case RegistrationPolicy.BY_SETTINGS:
                return RuleSet.build(own_registrations, settings, agent)
            case RegistrationPolicy.FIRST_OF_NAME:
                by_name: dict[str, Rule] = {}
                for rule in rules:
                    by_name.setdefault(rule.name, rule)
                return RuleSet(tuple(by_name.values()))
            case RegistrationPolicy.ALL:
                return RuleSet(tuple(rules))
        assert_never(profile.registrations)

    @staticmethod
    def build(registrations: Iterable[Registration], settings: Settings, agent: str = MAIN_AGENT) -> RuleSet:
        """Builds the rule set from registrations in order of discovery. Of several with one name, the first is active
        (spec B5).
        """
        rules: list[Rule] = []
        refusals: list[Refusal] = []
        paths_by_name: dict[str, str] = {}
        for registration in registrations:
            decision = _decide(registration, settings, agent, paths_by_name)
            if isinstance(decision, Rule):
                rules.append(decision)
            else:
                refusals.append(decision)
            # A disabled file leaves its name to later files; a file without a body does not.
            if not isinstance(decision, Refusal) or decision.bucket is not Bucket.DISABLED:
                paths_by_name.setdefault(registration.name, registration.path)
        return RuleSet(tuple(rules), tuple(refusals))

    @property
    def streamed(self) -> RuleSet:
        """The rules that can fire on a stream. A rule with a question waits for a judge instead (spec J1)."""
        return RuleSet(tuple(rule for rule in self.rules if rule.question is None), self.refusals)

    @property
    def profile(self) -> DialectProfile:
        """The behaviour of the rules. All rules of a set have the same dialect."""
        return self.rules[0].profile if self.rules else OMP


def admits_agent(agents: Iterable[str], agent: str) -> bool:
    """Returns whether the lower-case patterns of `agents` admit an agent, ignoring its case (spec B3). Without
    patterns, every agent is admitted."""
    patterns, name = tuple(agents), agent.lower()
    return not patterns or any(pattern == name or Glob(pattern).matches(name) for pattern in patterns)


def _decide(
    registration: Registration, settings: Settings, agent: str, paths_by_name: Mapping[str, str]
) -> Rule | Refusal:
    """Checks in the order of spec B1, after spec B4 and B5. `paths_by_name` has the first file of each name."""
    if registration.bucket is Bucket.DISABLED:
        return _refuse(registration, RefusalReason.NOT_ENABLED, Bucket.DISABLED)
    if registration.name in settings.disabled_extensions:
        return _refuse(registration, RefusalReason.DISABLED_EXTENSION, Bucket.DISABLED)
    if registration.name in paths_by_name:
        refusal = _refuse(registration, RefusalReason.SHADOWED, Bucket.DROPPED)
        return replace(refusal, shadowed_by=paths_by_name[registration.name])
    if not registration.has_body:
        return _refuse(registration, RefusalReason.EMPTY_BODY, Bucket.DROPPED)
    if registration.name in {name.strip() for name in settings.disabled_rules}:
        return _refuse(registration, RefusalReason.DISABLED_BY_SETTING, Bucket.DROPPED)
    if registration.provider == BUILTIN.id and not settings.builtin_rules:
        return _refuse(registration, RefusalReason.BUILTIN_RULES_OFF, Bucket.DROPPED)
    if not admits_agent(registration.agents, agent):
        return _refuse(registration, RefusalReason.OTHER_AGENT, Bucket.DROPPED)
    if registration.rule is None:
        return _refuse(registration, RefusalReason.NO_TRIGGER, registration.fallback)
    if not settings.enabled:
        return _refuse(registration, RefusalReason.TTSR_OFF, registration.fallback)
    return registration.rule


def _refuse(registration: Registration, reason: RefusalReason, bucket: Bucket) -> Refusal:
    return Refusal(registration.name, registration.path, reason, bucket)
