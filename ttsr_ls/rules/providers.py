"""The providers from which the reference agent takes rules: the one table of them (spec D).

Facts only. How a provider's files are found on the disk is the store's business, in one module a family.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Level(StrEnum):
    """Whose a rule or a setting is."""

    PROJECT = "project"
    USER = "user"


class Provider(Struct, frozen=True):
    """A provider. `places` are for people, those that are read first coming first.

    `priority` is the reference's: of two rules with one name, that of the higher priority is loaded. `opt_in` tells
    that the places in the home folder are only read when the setting `enabledProviders` has the provider.
    """

    id: str
    priority: int
    title: str
    project_places: tuple[str, ...]
    user_places: tuple[str, ...]
    suffixes: tuple[str, ...]
    opt_in: bool


class UnseenReason(StrEnum):
    """Why the agent does not see a file that is in one of its places; the value is shown to people."""

    IGNORED = "git ignores the file"
    PROVIDER_OFF = "the setting `disabledProviders` has its provider"
    NOT_OPTED_IN = "the setting `enabledProviders` does not have its provider"


_MARKDOWN = (".md", ".mdc")

NATIVE = Provider("native", 100, "oh-my-pi", (".omp/rules", ".omp/RULES.md"),
                  ("~/.omp/agent/rules", "~/.omp/agent/RULES.md"), _MARKDOWN, False)  # fmt: skip
OMP_PLUGINS = Provider("omp-plugins", 90, "extension packages of oh-my-pi", ("<extension>/rules",),
                       ("~/.omp/plugins/node_modules/<package>/rules",), _MARKDOWN, False)  # fmt: skip
CLAUDE_PLUGINS = Provider("claude-plugins", 70, "marketplace plugins", ("<plugin>/rules",),
                          ("<plugin>/rules",), _MARKDOWN, True)  # fmt: skip
AGENTS = Provider("agents", 70, "agent folders", (".agent/rules", ".agents/rules"),
                  ("~/.agent/rules", "~/.agents/rules"), _MARKDOWN, False)  # fmt: skip
CURSOR = Provider("cursor", 50, "Cursor", (".cursor/rules",), ("~/.cursor/rules",), (".mdc", ".md"), True)
WINDSURF = Provider("windsurf", 50, "Windsurf", (".windsurf/rules",),
                    ("~/.codeium/windsurf/memories/global_rules.md",), (".md",), True)  # fmt: skip
CLINE = Provider("cline", 40, "Cline", (".clinerules",), (), (".md",), False)
GITHUB = Provider("github", 30, "GitHub Copilot", (".github/instructions",),
                  ("$COPILOT_CUSTOM_INSTRUCTIONS_DIRS",), (".instructions.md",), False)  # fmt: skip
BUILTIN = Provider("builtin-defaults", 1, "rules built into oh-my-pi", (), (), (), False)

PROVIDERS = (NATIVE, OMP_PLUGINS, CLAUDE_PLUGINS, AGENTS, CURSOR, WINDSURF, CLINE, GITHUB, BUILTIN)
"""The providers of the reference agent, those of higher priority first."""

PI_TTSR = Provider("pi-ttsr", 0, "pi-ttsr", (".pi/rules",), ("~/.pi/rules",), (".md",), False)
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


def find_provider(provider_id: str) -> Provider | None:
    """The provider with an id; None for one that is not the reference's, such as `extra`."""
    return next((provider for provider in (*PROVIDERS, PI_TTSR) if provider.id == provider_id), None)
