"""The keys of the project's configuration: `[tool.ttsr-ls]` in pyproject.toml, or ttsr-ls.toml.

The reader (`config`), the JSON Schema and the documentation use this table. It must not know where files are.
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
    BOOLEAN = "true or false"
    OVERRIDES = "a list of tables, each written [[overrides]]"


class ConfigKey(Struct, frozen=True):
    """A key: its type, an example in TOML, and its documentation in Markdown."""

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
    'The codes that are reported; without the key, all. `"all"` means every code.',
)
IGNORE = ConfigKey(
    "ignore",
    ConfigKind.CODES,
    'ignore = ["inert-name"]',
    "Codes that are not reported, even if they are selected.",
)
SEVERITY = ConfigKey(
    "severity",
    ConfigKind.SEVERITIES,
    'severity = { glob-shorthand = "info" }',
    "The severity of codes, where it should differ from the catalogue.",
)
DIALECT = ConfigKey(
    "dialect",
    ConfigKind.DIALECT,
    'dialect = "omp"',
    "The dialect of rule files whose folder does not decide it. Without the key, their frontmatter decides.",
)
EXCLUDE = ConfigKey(
    "exclude",
    ConfigKind.GLOBS,
    'exclude = ["tests/fixtures/**"]',
    "Files that are skipped when a folder is checked. A file that is named is checked in any case.",
)
RULE_FOLDERS = ConfigKey(
    "rule-folders",
    ConfigKind.FOLDERS,
    'rule-folders = ["team/rules"]',
    "Further folders whose Markdown files are rules, from the folder of the configuration. `list`, `test` and "
    "`watch` use them before the agent's own, `check` and editors take their files for rules. A folder that does not "
    "exist is reported.",
)
FEATURES = ConfigKey(
    "features",
    ConfigKind.FEATURES,
    'features = ["tasks"]',
    "Features of sessions that ttsr-ls runs, by the names under which installed packages offer them. Only named "
    "features are loaded.",
)
PROXY_CONTENT = ConfigKey(
    "proxy-content",
    ConfigKind.BOOLEAN,
    "proxy-content = false",
    "Whether session logs of the proxy hold the texts of conversations; without the key, they do. `false` has the "
    "effect of `--no-content`.",
)
OVERRIDES = ConfigKey(
    "overrides",
    ConfigKind.OVERRIDES,
    '[[overrides]]\npaths = ["drafts/**"]\nignore = ["empty-body"]',
    "Settings for some files. Every override whose `paths` match applies, in order: its `select` replaces earlier "
    "selections, its `ignore` and `severity` are added.",
)

OVERRIDE_KEYS = (PATHS, SELECT, IGNORE, SEVERITY, DIALECT)
CONFIG_KEYS = (SELECT, IGNORE, SEVERITY, DIALECT, EXCLUDE, RULE_FOLDERS, FEATURES, PROXY_CONTENT, OVERRIDES)

CODES = tuple(entry.code for entry in CATALOGUE)
SEVERITIES = tuple(str(severity) for severity in Severity)
DIALECT_NAMES = tuple(str(dialect.id) for dialect in DIALECTS)
