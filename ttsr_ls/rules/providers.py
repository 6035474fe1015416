"""The one table of the providers from which the reference agent loads rules (spec D).

Facts only. Finding a provider's files on the disk is in `store`, in one module for each family.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from ttsr_ls.syntax.dialects.locations import (
    AGENT_RULES,
    AGENTS_RULES,
    CLINE_FILE,
    CLINE_RULES,
    COPILOT_INSTRUCTIONS,
    CURSOR_RULES,
    PI_RULES,
    PROJECT_RULES,
    PROJECT_STICKY,
    USER_RULES,
    USER_STICKY,
    WINDSURF_MEMORIES,
    WINDSURF_RULES,
    RuleLocation,
)


class Level(StrEnum):
    """The level of a rule or a setting: the project's or the user's."""

    PROJECT = "project"
    USER = "user"


class RuleProvider(Struct, frozen=True):
    """A provider. `project` and `user` are its fixed locations in a project and in the home folder.

    `priority` is the reference agent's: of two rules with one name, the one of the higher priority is loaded. `opt_in`
    is true if the locations in the home folder are only read when the setting `enabledProviders` has the provider. With
    `is_deep`, the reference agent reads subfolders of the locations too.
    """

    id: str
    priority: int
    title: str
    project: tuple[RuleLocation, ...] = ()
    user: tuple[RuleLocation, ...] = ()
    opt_in: bool = False
    is_deep: bool = False


class UnseenReason(StrEnum):
    """The reason why the agent does not read a file in one of its locations. The value is shown to users."""

    IGNORED = "git ignores the file"
    PROVIDER_OFF = "the setting `disabledProviders` has its provider"
    NOT_OPTED_IN = "the setting `enabledProviders` does not have its provider"


NATIVE = RuleProvider("native", 100, "oh-my-pi", (PROJECT_RULES, PROJECT_STICKY), (USER_RULES, USER_STICKY))
OMP_PLUGINS = RuleProvider("omp-plugins", 90, "extension packages of oh-my-pi")
CLAUDE_PLUGINS = RuleProvider("claude-plugins", 70, "marketplace plugins", opt_in=True)
AGENTS = RuleProvider("agents", 70, "agent folders", (AGENT_RULES, AGENTS_RULES), (AGENT_RULES, AGENTS_RULES))
CURSOR = RuleProvider("cursor", 50, "Cursor", (CURSOR_RULES,), (CURSOR_RULES,), opt_in=True)
WINDSURF = RuleProvider("windsurf", 50, "Windsurf", (WINDSURF_RULES,), (WINDSURF_MEMORIES,), opt_in=True)
CLINE = RuleProvider("cline", 40, "Cline", (CLINE_RULES, CLINE_FILE))
GITHUB = RuleProvider("github", 30, "GitHub Copilot", (COPILOT_INSTRUCTIONS,), is_deep=True)
BUILTIN = RuleProvider("builtin-defaults", 1, "rules built into oh-my-pi")

PROVIDERS = (NATIVE, OMP_PLUGINS, CLAUDE_PLUGINS, AGENTS, CURSOR, WINDSURF, CLINE, GITHUB, BUILTIN)
"""The providers of the reference agent, those of higher priority first."""

PI_TTSR = RuleProvider("pi-ttsr", 0, "pi-ttsr", (PI_RULES,), (PI_RULES,))
"""Rules of another agent in another dialect; the reference agent does not read them (spec P1)."""

BUILTIN_RULES = frozenset(
    (
        "go-add-cleanup", "go-bench-loop", "go-exp-promoted", "go-ioutil", "go-join-hostport", "go-new-expr",
        "go-rand-v2", "go-range-int",
        "rs-box-leak", "rs-future-prelude", "rs-lazylock", "rs-match-ergonomics", "rs-parking-lot", "rs-result-type",
        "ts-bare-catch", "ts-import-type", "ts-no-any", "ts-no-deprecated-leftovers", "ts-no-dynamic-import",
        "ts-no-inline-cast-access", "ts-no-local-is-record", "ts-no-return-type", "ts-no-test-timers",
        "ts-no-tiny-functions", "ts-promise-with-resolvers", "ts-redundant-clear-guard", "ts-set-map",
    )
)  # fmt: skip
"""The names of the rules that are built into the reference agent 18.2; a file of the same name replaces one."""


def find_provider(provider_id: str) -> RuleProvider | None:
    """Returns the provider with an id; None for an id that is not the reference agent's, such as `extra`."""
    return next((provider for provider in (*PROVIDERS, PI_TTSR) if provider.id == provider_id), None)
