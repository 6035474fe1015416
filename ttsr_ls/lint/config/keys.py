"""The one table of the project's configuration: `[tool.ttsr-ls]` in pyproject.toml, or ttsr-ls.toml.

Reading it (`config`), its JSON Schema and its documentation all follow this table. It must not know where files are.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from ttsr_ls.lint.catalogue import CATALOGUE
from ttsr_ls.lint.finding import Severity
from ttsr_ls.syntax.dialects.table import DIALECTS

ALL = "all"
"""Stands for every code."""


class ConfigKind(StrEnum):
    """The type of a key's value, as shown to users."""

    CODES = 'a list of finding codes, or of "all"'
    SEVERITIES = "a table from finding codes to severities"
    GLOBS = "a list of globs"
    FOLDERS = "a list of folders"
    DIALECT = "the name of a dialect"
    FEATURES = "a list of names of features"
    OVERRIDES = "a list of tables, each written [[overrides]]"


class ConfigKey(Struct, frozen=True):
    """A key: what it takes, an example in TOML, and what it does, in Markdown."""

    name: str
    kind: ConfigKind
    example: str
    documentation: str


PATHS = ConfigKey(
    "paths",
    ConfigKind.GLOBS,
    'paths = ["drafts/**"]',
    "The files that an override is for: globs as in rules, from the folder of the configuration. A glob without a "
    "slash matches the name of a file in any folder.",
)
SELECT = ConfigKey(
    "select",
    ConfigKind.CODES,
    'select = ["all"]',
    'The codes that are reported, all of them where the key is missing; `"all"` stands for every code.',
)
IGNORE = ConfigKey(
    "ignore",
    ConfigKind.CODES,
    'ignore = ["inert-name"]',
    "Codes that are not reported. What is ignored is taken away after what is selected.",
)
SEVERITY = ConfigKey(
    "severity",
    ConfigKind.SEVERITIES,
    'severity = { glob-shorthand = "info" }',
    "How bad a finding is taken to be, where that differs from the catalogue.",
)
DIALECT = ConfigKey(
    "dialect",
    ConfigKind.DIALECT,
    'dialect = "omp"',
    "The dialect of rule files whose place does not tell it. Without the key, their frontmatter does.",
)
EXCLUDE = ConfigKey(
    "exclude",
    ConfigKind.GLOBS,
    'exclude = ["tests/fixtures/**"]',
    "Files that are not looked at when a folder is checked. A file that is named is checked all the same.",
)
RULE_FOLDERS = ConfigKey(
    "rule-folders",
    ConfigKind.FOLDERS,
    'rule-folders = ["team/rules"]',
    "Further folders whose Markdown files are rules, from the folder of the configuration. `list`, `test` and `watch` "
    "use them before the agent's own, `check` and editors take their files for rules. "
    "You are told of one that does not exist.",
)
FEATURES = ConfigKey(
    "features",
    ConfigKind.FEATURES,
    'features = ["tasks"]',
    "What a session of ours gets beside rules, by the names under which installed packages offer it. Nothing is loaded "
    "that is not named here.",
)
OVERRIDES = ConfigKey(
    "overrides",
    ConfigKind.OVERRIDES,
    '[[overrides]]\npaths = ["drafts/**"]\nignore = ["empty-body"]',
    "What is different for some files. Every override whose `paths` match counts, in order: its `select` takes the "
    "place of what was selected and ignored before, its `ignore` and `severity` come on top.",
)

OVERRIDE_KEYS = (PATHS, SELECT, IGNORE, SEVERITY, DIALECT)
CONFIG_KEYS = (SELECT, IGNORE, SEVERITY, DIALECT, EXCLUDE, RULE_FOLDERS, FEATURES, OVERRIDES)

CODES = tuple(entry.code for entry in CATALOGUE)
SEVERITIES = tuple(str(severity) for severity in Severity)
DIALECT_NAMES = tuple(str(dialect.id) for dialect in DIALECTS)
