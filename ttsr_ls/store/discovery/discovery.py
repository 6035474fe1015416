"""Finds the rule files in the locations that the reference agent reads, in its order (spec D).

Considers only names, and what git ignores. Whether an earlier file of the same name shadows a later one depends on
their content, so `RuleSet` decides that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.rules.providers import (
    AGENTS,
    CLAUDE_PLUGINS,
    CLINE,
    CURSOR,
    GITHUB,
    NATIVE,
    OMP_PLUGINS,
    PI_TTSR,
    PROVIDERS,
    WINDSURF,
    Level,
    RuleProvider,
    UnseenReason,
)
from ttsr_ls.rules.settings.layers import SettingsLayers
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.limits import DISCOVERY_LIMITS, DiscoveryLimits
from ttsr_ls.store.files.bounded_file import MAX_RULE_BYTES, RuleUnreadableError, read_file
from ttsr_ls.store.gitignore.ignores import Ignores
from ttsr_ls.store.listing import list_folder
from ttsr_ls.store.providers.agent_folders import find_agent_folders
from ttsr_ls.store.providers.discovered_rule import (
    DiscoveredRule,
    Omission,
    RuleSearch,
    left_out,
    rule_name,
    unlistable,
)
from ttsr_ls.store.providers.editors import (
    find_cline,
    find_cursor,
    find_users_cursor,
    find_users_windsurf,
    find_windsurf,
)
from ttsr_ls.store.providers.instructions import find_instructions
from ttsr_ls.store.providers.marketplace import find_marketplace
from ttsr_ls.store.providers.native import find_native
from ttsr_ls.store.providers.packages import find_packages
from ttsr_ls.store.providers.pi import find_pi
from ttsr_ls.syntax.dialects.locations import RULE_SUFFIXES

__all__ = [
    "EXTRA_PROVIDER", "MAX_RULE_BYTES", "DiscoveredRule", "Discovery", "RuleUnreadableError", "discover", "read_file",
    "rule_name", "rules_in",
]  # fmt: skip

EXTRA_PROVIDER = "extra"
"""The provider of rules in folders that a user named."""


class _Step(Struct, frozen=True):
    """One search. `opt_in_level` is the level that the settings may have to enable; None if `find` checks that."""

    provider: RuleProvider
    find: Callable[[RuleSearch], Iterator[DiscoveredRule]]
    opt_in_level: Level | None = None


_STEPS = (
    _Step(NATIVE, find_native),
    _Step(OMP_PLUGINS, find_packages),
    _Step(CLAUDE_PLUGINS, find_marketplace),
    _Step(AGENTS, find_agent_folders),
    _Step(CURSOR, find_users_cursor, Level.USER),
    _Step(CURSOR, find_cursor),
    _Step(WINDSURF, find_users_windsurf, Level.USER),
    _Step(WINDSURF, find_windsurf),
    _Step(CLINE, find_cline),
    _Step(GITHUB, find_instructions),
    _Step(PI_TTSR, find_pi),
)


class UnseenFile(Struct, frozen=True):
    """A file in one of the agent's locations that the agent does not read."""

    found: DiscoveredRule
    reason: UnseenReason


class Discovery(Struct, frozen=True):
    """The result of discovery.

    `rules` are in the agent's order, followed by those of pi-ttsr. `disabled_providers` are the reference agent's
    providers that are disabled as a whole.
    """

    rules: tuple[DiscoveredRule, ...]
    unseen: tuple[UnseenFile, ...]
    disabled_providers: frozenset[str]


def discover(
    environment: AgentEnvironment,
    layers: SettingsLayers,
    extra: Iterable[Path] = (),
    limits: DiscoveryLimits = DISCOVERY_LIMITS,
) -> Discovery:
    """Returns all rule files for an agent in an environment, those of higher priority first, including files with the
    same name.

    `extra` are folders that a user named: they come first, as provider `extra`. A folder that does not exist, or cannot
    be listed, has no rules.
    """
    search = RuleSearch(environment, layers, limits)
    rules: dict[Path, DiscoveredRule] = {}
    files: dict[Path, UnseenFile] = {}
    for folder in extra:
        rules.update((rule.path, rule) for rule in rules_in(folder, EXTRA_PROVIDER, limits) if rule.path not in rules)
    for step in _STEPS:
        for rule in step.find(search):
            reason = _unseen(rule, step, search)
            if reason is None:
                rules.setdefault(rule.path, rule)
            else:
                files.setdefault(rule.path, UnseenFile(rule, reason))
    return Discovery(
        _limited(tuple(rules.values()), limits),
        tuple(file for path, file in files.items() if path not in rules)[: limits.rules],
        frozenset(provider.id for provider in PROVIDERS if not search.is_read(provider)),
    )


def _limited(rules: tuple[DiscoveredRule, ...], limits: DiscoveryLimits) -> tuple[DiscoveredRule, ...]:
    """Returns the rules up to the limit; the first one beyond it stands for all that are left out."""
    files = [rule for rule in rules if rule.omission is None]
    if len(files) <= limits.rules:
        return rules
    omitted = (rule for rule in rules if rule.omission is not None)
    return (*files[: limits.rules], replace(files[limits.rules], omission=Omission.ALL_RULES), *omitted)


def _unseen(rule: DiscoveredRule, step: _Step, search: RuleSearch) -> UnseenReason | None:
    """Returns why the agent does not read a file; None if it does."""
    if step.provider is PI_TTSR:
        return None  # Another agent reads it, without oh-my-pi's settings.
    if not search.is_read(step.provider):
        return UnseenReason.PROVIDER_OFF
    if step.opt_in_level is Level.USER and not search.reads_user_locations(step.provider):
        return UnseenReason.NOT_OPTED_IN
    return None if rule.ignored_by is None else UnseenReason.IGNORED


def rules_in(folder: Path, provider: str, limits: DiscoveryLimits = DISCOVERY_LIMITS) -> tuple[DiscoveredRule, ...]:
    """Returns the rule files directly in a folder that a user named, sorted by name, including those that git
    ignores.
    """
    listing = list_folder(folder, RULE_SUFFIXES, Ignores(folder, ()), limits)
    found = (DiscoveredRule(file.path, rule_name(file.path.name), provider) for file in listing.files)
    return (*unlistable(folder, provider), *found, *left_out(folder, listing, provider))
